"""Arrays in and out."""

from __future__ import annotations

import gc
import pickle
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import HERO, WALK, characters_dir, mocap_clips

import retarget as rt

FORMS = ["xyzw", "wxyz", "matrix", "6d", "6d_rows", "axis_angle"] + [
    f"euler_{unit}{axes}"
    for unit in ("", "deg_")
    for axes in ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "xyz", "zyx")
]


def turned_apart(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> float:
    """The largest angle between rotations, radians."""
    opposite = np.where(np.sum(a * b, axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    return float(2.0 * np.linalg.norm(a - opposite * b, axis=-1).max())


def test_arrays_of_float64_come_back_to_the_last_bit() -> None:
    seen = 0
    for path in mocap_clips():
        try:
            clip = rt.load(path)
        except ValueError:
            continue
        seen += 1
        back = rt.from_rotations(clip.rotations(), clip.translations(), like=clip)
        assert np.array_equal(back.rotations(), clip.rotations()), clip
        assert np.array_equal(back.translations(), clip.translations()), clip
        assert (back.names, back.parents, back.fps) == (clip.names, clip.parents, clip.fps)
        assert np.array_equal(back.positions(), clip.positions()), clip
    assert seen > 40


@pytest.mark.parametrize("space", ["local", "world"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_comes_back(form: str, space: Any) -> None:
    clip = rt.load(WALK)
    for dtype, off in [("float64", 1e-12), ("float32", 1e-5)]:
        there = clip.rotations(form, space, dtype)
        assert there.dtype == dtype
        back = rt.from_rotations(there, clip.root(), like=clip, form=form, space=space)
        assert turned_apart(back.rotations(), clip.rotations()) < off


def test_euler_angles_mean_what_numpy_makes_of_them() -> None:
    def about(axis: int, angle: float) -> np.ndarray[Any, Any]:
        c, s, (i, j) = np.cos(angle), np.sin(angle), [(1, 2), (2, 0), (0, 1)][axis]
        matrix = np.eye(3)
        matrix[i, i], matrix[i, j], matrix[j, i], matrix[j, j] = c, -s, s, c
        return matrix

    clip = rt.load(WALK)[:1]
    angles = np.zeros((1, len(clip.names), 3))
    angles[0, 3] = [0.3, -0.7, 1.1]
    turning = rt.from_rotations(angles, like=clip, form="euler_ZXY").rotations("matrix")[0, 3]
    assert np.allclose(turning, about(2, 0.3) @ about(0, -0.7) @ about(1, 1.1))
    fixed = rt.from_rotations(angles, like=clip, form="euler_zxy").rotations("matrix")[0, 3]
    assert np.allclose(fixed, about(1, 1.1) @ about(0, -0.7) @ about(2, 0.3))
    columns = rt.from_rotations(angles, like=clip, form="euler_ZXY").rotations("6d")[0, 3]
    assert np.allclose(columns, np.concatenate([turning[:, 0], turning[:, 1]]))


def test_positions_are_forward_kinematics() -> None:
    clip = rt.load(WALK)
    matrices, offsets, root = clip.rotations("matrix"), clip.offsets, clip.root()
    assert clip.moving == [clip.names[0]]
    world, places = np.empty_like(matrices), np.empty((len(clip), len(clip.names), 3))
    for joint, parent in enumerate(clip.parents):
        if parent < 0:
            world[:, joint], places[:, joint] = matrices[:, joint], root
        else:
            world[:, joint] = world[:, parent] @ matrices[:, joint]
            places[:, joint] = places[:, parent] + world[:, parent] @ offsets[joint]
    assert np.allclose(clip.positions(), places, atol=1e-9)
    assert np.allclose(clip.rotations("matrix", "world"), world)


def test_any_strides_and_any_order_of_joints_are_taken() -> None:
    clip = rt.load(WALK)
    wanted = clip.rotations()
    assert np.array_equal(rt.from_rotations(np.asfortranarray(wanted), clip.root(), like=clip).rotations(), wanted)
    every_other = np.repeat(wanted, 2, axis=0)[::2]
    assert np.array_equal(rt.from_rotations(every_other, clip.root(), like=clip).rotations(), wanted)
    backwards = clip.names[::-1]
    turned = clip.rotations(names=backwards)
    assert np.array_equal(turned, wanted[:, ::-1])
    assert np.array_equal(rt.from_rotations(turned, clip.root(), like=clip, names=backwards).rotations(), wanted)


def test_a_skeleton_in_any_order_becomes_one_in_depth_first_order() -> None:
    # As SMPL lists joints: side by side, not limb by limb.
    names, parents = ["hips", "left", "right", "left_end", "right_end"], [-1, 0, 0, 1, 2]
    offsets = np.arange(15.0).reshape(5, 3)
    rotations = np.tile([0.0, 0.0, 0.0, 1.0], (4, 5, 1))
    clip = rt.from_rotations(rotations, names=names, parents=parents, offsets=offsets, fps=30)
    assert clip.names == ["hips", "left", "left_end", "right", "right_end"]
    assert clip.parents == [-1, 0, 1, 0, 3]
    assert np.array_equal(clip.offsets, offsets[[0, 1, 3, 2, 4]])


class Tensor:
    """What speaks DLPack and nothing else, as a torch tensor does for whoever does not know torch."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array

    def __dlpack__(self, **keywords: Any) -> Any:
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


def test_tensors_are_taken_by_dlpack() -> None:
    clip = rt.load(WALK)
    given = Tensor(np.array(clip.rotations("wxyz", dtype="float32")))
    back = rt.from_rotations(given, Tensor(np.array(clip.root())), like=clip, form="wxyz")  # type: ignore[arg-type]
    assert turned_apart(back.rotations(), clip.rotations()) < 1e-5


def test_units_of_skeleton_and_root_may_differ() -> None:
    clip = rt.load(WALK)
    metres = clip.root() / 100.0
    back = rt.from_rotations(clip.rotations(), metres, like=clip, unit="cm", root_unit="m")
    assert np.allclose(back.root(), clip.root())


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_what_is_not_finite_is_refused_with_frame_and_joint(number: float) -> None:
    clip = rt.load(WALK)
    rotations, root = np.array(clip.rotations()), np.array(clip.root())
    rotations[17, 3, 1] = number
    with pytest.raises(ValueError, match=rf"frame 17, joint '?\"?{clip.names[3]}"):
        rt.from_rotations(rotations, root, like=clip)
    root[40, 2] = number
    with pytest.raises(ValueError, match="root: frame 40"):
        rt.from_rotations(clip.rotations(), root, like=clip)
    live = rt.Live(clip, HERO)
    with pytest.raises(ValueError, match=clip.names[3]):
        live.frame(rotations[17])


def test_what_is_no_rotation_is_refused_with_frame_and_joint() -> None:
    clip = rt.load(WALK)
    wrongs = {"xyzw": 2.0, "matrix": -1.0, "6d": 0.0}
    for form, factor in wrongs.items():
        rotations = np.array(clip.rotations(form))
        rotations[5, 2] *= factor
        with pytest.raises(ValueError, match=f"frame 5, joint \"{clip.names[2]}\""):
            rt.from_rotations(rotations, clip.root(), like=clip, form=form)


def test_shapes_names_and_kinds_that_do_not_fit_are_refused() -> None:
    clip = rt.load(WALK)
    rotations = clip.rotations()
    with pytest.raises(ValueError, match=r"shape \(281, 21, 4\); expected \(T, J = 22, 4\)"):
        rt.from_rotations(rotations[:, 1:], like=clip)
    with pytest.raises(ValueError, match="Tail"):
        clip.positions(names=["Tail"])
    with pytest.raises(ValueError, match="quaternions"):
        clip.rotations("quaternions")
    with pytest.raises(TypeError, match="complex"):
        rt.from_rotations(rotations.astype(complex), like=clip)
    with pytest.raises(ValueError, match="circle"):
        rt.from_rotations(rotations[:, :3], names=["a", "b", "c"], parents=[-1, 2, 1], offsets=np.ones((3, 3)), fps=30)
    with pytest.raises(ValueError, match="fps"):
        rt.from_rotations(rotations[:, :1], names=["a"], parents=[-1], offsets=np.ones((1, 3)))


def test_rotations_and_root_look_into_the_clip_without_a_copy() -> None:
    clip = rt.load(WALK)
    for _ in range(9):
        clip = rt.from_rotations(
            np.concatenate([clip.rotations()] * 2), np.concatenate([clip.root()] * 2), like=clip
        )
    size = clip.rotations().nbytes
    assert size > 90_000_000
    tracemalloc.start()
    rotations, root, translations = clip.rotations(), clip.root(), clip.translations()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000, f"{peak} bytes"
    assert not rotations.flags.writeable and not root.flags.writeable and not rotations.flags.owndata
    assert np.shares_memory(rotations, clip.rotations()) and np.shares_memory(root, translations)
    # The arrays hold on to what they look at.
    first = rotations[0].copy()
    del clip
    gc.collect()
    assert np.array_equal(rotations[0], first)


def test_an_array_of_float64_in_order_is_read_where_it_is() -> None:
    clip = rt.load(WALK)
    rotations, root = np.array(clip.rotations()), np.array(clip.root())
    tracemalloc.start()
    rt.from_rotations(rotations, root, like=clip)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < rotations.nbytes / 4, f"{peak} bytes beside {rotations.nbytes}"


def test_clips_and_rigs_are_pickled_whole() -> None:
    clip = rt.load(WALK)
    back: rt.Clip = pickle.loads(pickle.dumps(clip))
    assert back.to_bytes() == clip.to_bytes()
    assert pickle.loads(pickle.dumps(rt.Rig(HERO))).roles == rt.Rig(HERO).roles
    assert pickle.loads(pickle.dumps(rt.Rig(clip))).names == clip.names


def test_an_archive_of_a_result_comes_back_to_the_last_bit(tmp_path: Path) -> None:
    result, _ = rt.retarget(WALK, HERO)
    result.save(tmp_path / "out.npz")
    back = rt.load(tmp_path / "out.npz")
    assert back.names == result.names and back.parents == result.parents and back.fps == result.fps
    assert (back.rotations() == result.rotations()).all() and (back.translations() == result.translations()).all()
    assert (back.offsets == result.offsets).all()
    with np.load(tmp_path / "out.npz") as file:
        assert np.allclose(file["positions"], result.positions(), atol=1e-9)
        contacts = result.contacts()
        assert list(file["contact_names"]) == contacts.parts
        assert (file["contacts"] == contacts.masks()).all()


def test_a_pickled_clip_keeps_the_roles_that_its_format_names() -> None:
    path = characters_dir() / "clips" / "idle_loop.vrma"
    clip = rt.load(path)
    back: rt.Clip = pickle.loads(pickle.dumps(clip))
    assert rt.Rig(back).roles == rt.Rig(clip).roles
