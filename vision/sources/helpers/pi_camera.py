"""The Raspberry Pi's own camera, through picamera2, which only the system's Python has.

Started by `vision.sources.pi.PiCamera` as `/usr/bin/python3 pi_camera.py --memory FD --room BYTES`; may be
tried by hand on a Pi: without arguments it says what is missing.
"""

from __future__ import annotations

import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from frame_writer import FrameWriter, arguments, fail  # type: ignore[import-not-found,unused-ignore]

LONGEST_EXPOSURE_US = 20_000
"""Two periods of 100 Hz light: longer exposures smear, and dim light must not slow the pictures down."""


def main() -> None:
    """Hand on pictures until the parent ends."""
    parser = arguments("Read the Raspberry Pi's camera.")
    parser.add_argument("--camera", type=int, default=0, help="which camera")
    options = parser.parse_args()
    try:
        picamera2 = import_module("picamera2")
    except ImportError:
        fail("this system has no picamera2; install python3-picamera2, or use a USB camera")
        return
    if not picamera2.Picamera2.global_camera_info():
        fail("no camera is connected to the Pi; push its ribbon cable in, contacts towards the contacts", "unplugged")
    try:
        camera = picamera2.Picamera2(options.camera)
    except (IndexError, RuntimeError) as error:
        fail(f"the Pi's camera cannot be opened ({error}); close other programs that use it")
        return
    video = camera.create_video_configuration(
        main={"size": options.size, "format": "YUV420"},
        buffer_count=4,
        controls={"FrameDurationLimits": (33_333, 33_333), "AeFlickerPeriod": 10_000},
    )
    camera.configure(video)
    camera.start()
    writer = FrameWriter(options.memory, options.slots, options.room, lambda word: _obey(camera, word))
    while True:
        _hand_on(camera, writer, options.size)


def _hand_on(camera: Any, writer: Any, size: tuple[int, int]) -> None:
    request = camera.capture_request()
    try:
        planes = request.make_array("main")
        at = request.get_metadata()["SensorTimestamp"] / 1e9 - _boot_to_monotonic()
    finally:
        request.release()
    width, height = size
    rows = planes[:, :width]  # lines are padded to the sensor's stride
    writer.write(rows.tobytes() if rows.shape[1] != planes.shape[1] else planes.data, width, height, "yuv420", at)


def _boot_to_monotonic() -> float:
    """Return by how many seconds the sensor's clock is ahead of the monotonic one (it runs during sleep)."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()


def _obey(camera: Any, word: str) -> None:
    if word == "unlock":
        camera.set_controls({"AeEnable": True, "AwbEnable": True})
        return
    now = camera.capture_metadata()
    kept: dict[str, Any] = {
        "AeEnable": False,
        "AwbEnable": False,
        "ExposureTime": min(now["ExposureTime"], LONGEST_EXPOSURE_US),
        "AnalogueGain": now["AnalogueGain"] * max(1.0, now["ExposureTime"] / LONGEST_EXPOSURE_US),
        "ColourGains": now["ColourGains"],
    }
    if "LensPosition" in now:
        kept |= {"AfMode": 0, "LensPosition": now["LensPosition"]}  # 0: manual
    camera.set_controls(kept)


if __name__ == "__main__":
    main()
