"""Reprint all kernels: python -m gaitwright.derive"""

from gaitwright.derive.library import print_all

if __name__ == "__main__":
    for path in print_all():
        print(path.name)
