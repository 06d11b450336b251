"""Parts: whatever has coordinates. base.py says what a part states; every other file is one kind of part."""
