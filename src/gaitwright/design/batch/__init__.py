"""Many designs at a time by generated code."""
