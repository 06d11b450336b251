"""Renderers of scenes: Matplotlib, software rasteriser, SVG."""
