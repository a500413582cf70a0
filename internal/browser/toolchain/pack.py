"""Compresses files as .lzma (Igor Pavlov's LZMA SDK): reads lines with a source and a target from its input."""
import lzma
import os
import sys
from concurrent.futures import ThreadPoolExecutor


def pack(line):
    source, target = line.rstrip("\n").split("\t")
    with open(source, "rb") as f:
        data = f.read()
    c = lzma.LZMACompressor(lzma.FORMAT_ALONE, filters=[{"id": lzma.FILTER_LZMA1, "preset": 6, "dict_size": 1 << 26}])
    packed = c.compress(data) + c.flush()
    with open(target + ".part", "wb") as f:
        f.write(packed[:5] + len(data).to_bytes(8, "little") + packed[13:])  # Python writes that the size is unknown
    os.replace(target + ".part", target)


with ThreadPoolExecutor(os.cpu_count()) as pool:
    list(pool.map(pack, sys.stdin))  # which raises what a thread raised
