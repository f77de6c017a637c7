"""Runs a program of Swift with the settings of a folder: run-swift.py FOLDER rings PORTS, or run-swift.py FOLDER PROGRAM ARGS.

Its servers read /etc/swift/swift.conf, which is the machine's own, and have no setting for another place.
"""

import ctypes
import json
import runpy
import sys

import swift.common.utils as utils

KILL = 9
PR_SET_PDEATHSIG = 1

folder, program = sys.argv[1:3]
utils.set_swift_dir(folder)

if program == "rings":
    from swift.common.ring import RingBuilder

    # Four partitions with one replica on one device.
    for name, port in json.loads(sys.argv[3]).items():
        builder = RingBuilder(2, 1, 0)
        device = {"region": 1, "zone": 1, "ip": "127.0.0.1", "port": port, "device": "one", "weight": 1.0}
        builder.add_dev(device)
        builder.rebalance()
        builder.get_ring().save(f"{folder}/{name}.ring.gz")
else:
    # It ends with the process that has started it, however that ends.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, KILL)
    sys.argv = sys.argv[2:]
    runpy.run_path(program, run_name="__main__")
