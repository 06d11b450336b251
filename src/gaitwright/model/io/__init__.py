"""Model files: readers, writers, importers and exporters."""
