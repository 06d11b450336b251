"""Regenerate the kernels of changed declarations: python -m gaitwright.derive"""

from gaitwright.derive.kernel_library import print_kernels

if __name__ == "__main__":
    for path in print_kernels():
        print(path.name)
