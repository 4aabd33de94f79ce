"""Many clips on a Ray cluster: `python ray_library.py TAKES TARGET OUT`.

Ray reads and spreads the files; each block of them is retargeted where it is. OUT becomes Parquet with a row for each
clip: its path, the numbers of the report, the result as the bytes of a BVH file, or why there is none.
"""

import sys

import ray

import retarget as rt


def carry(block, target):
    rig = rt.Rig(target)
    rows = [one(path, data, rig) for path, data in zip(block["path"], block["bytes"])]
    return {key: [row[key] for row in rows] for key in rows[0]}


def one(path, data, rig):
    row = {"path": path, "error": "", "result": b"", "plant_drift_cm": float("nan"), "skate_cm_s": float("nan")}
    try:
        result, report = rt.retarget(rt.read(bytes(data), path), rig)
    except ValueError as error:
        return {**row, "error": str(error)}
    numbers = {name: report[name] for name in ("plant_drift_cm", "skate_cm_s")}
    return {**row, **numbers, "result": result.to_bytes()}


def main(takes, target, out):
    files = ray.data.read_binary_files(takes, include_paths=True, file_extensions=["bvh"])
    files.map_batches(carry, fn_args=[target], batch_size=64).write_parquet(out)


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False)
    main(*sys.argv[1:4])
