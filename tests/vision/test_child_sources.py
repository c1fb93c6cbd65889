"""Cameras that are read by a process of their own: real processes, real shared memory, real hang-ups."""

import os
import sys
import textwrap
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.sources import PiCamera, SourceError, StreamCamera, UsbCamera
from vision.sources.child import SLOTS, ChildCamera, ChildStream
from vision.sources.helpers import capture, frame_writer

HELPERS = Path(frame_writer.__file__).parent


def eventually(holds, seconds=100.0):
    """Return what holds in the end; a picture that has come may be too old a moment later."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := holds():
            return found
        time.sleep(0.005)
    return None


def helper(folder, body):
    """Write a helper that speaks the real protocol; `body` runs with a `writer` and the parsed `options`."""
    lines = [
        "import sys, time, os",
        f"sys.path.insert(0, {str(HELPERS)!r})",
        "from frame_writer import FrameWriter, arguments, fail",
        "parser = arguments('a camera')",
        "parser.add_argument('device', nargs='?')",
        "options = parser.parse_args()",
        "words = []",
        "writer = FrameWriter(options.memory, options.slots, options.room, words.append)",
        textwrap.dedent(body),
    ]
    file = folder / "helper.py"
    file.write_text("\n".join(lines))
    return (sys.executable, str(file))


SENDING = """
    number = 0
    while True:
        number = (number + 1) % 200
        writer.write(bytes([40 + number]) * (64 * 48 * 3), 64, 48, "bgr", time.monotonic())
        time.sleep(0.01)
"""


@pytest.fixture
def watched():
    """Start a camera; whatever a test starts is stopped."""
    started = []

    def start(camera):
        started.append(camera)
        camera.start()
        return camera

    yield start
    for camera in started:
        camera.stop()


def children_of(camera):
    stream = camera.stream
    return None if stream is None else stream._process.pid


def test_pictures_come_through_shared_memory_with_the_time_they_were_taken(tmp_path, watched):
    late = SENDING.replace("time.monotonic())", "time.monotonic() - 0.2)")
    camera = watched(ChildCamera("the camera", helper(tmp_path, late), (64, 48), 10.0))
    frame = eventually(lambda: (newest := camera.latest()) is not None and newest.number > 3 and newest)
    assert frame.picture.shape == (48, 64, 3)
    assert len(np.unique(frame.picture)) == 1, "a picture is never half one and half another"
    assert frame.at <= time.monotonic() - 0.2
    assert eventually(lambda: camera.state().named == "ok")


def test_the_planes_of_a_pi_camera_become_a_colour_picture(tmp_path, watched):
    red = """
        y, u, v = bytes([81]) * (64 * 48), bytes([90]) * (32 * 24), bytes([240]) * (32 * 24)
        while True:
            writer.write(y + u + v, 64, 48, "yuv420", time.monotonic())
            time.sleep(0.01)
    """
    camera = watched(ChildCamera("the camera", helper(tmp_path, red), (64, 48), 10.0))
    blue, green, reds = eventually(camera.latest).picture[20, 20].tolist()
    assert reds > 230
    assert blue < 25
    assert green < 25


def test_a_helper_that_hangs_is_ended_and_another_one_started(tmp_path, watched):
    hangs = """
        for number in range(5):
            writer.write(bytes([40 + number]) * (64 * 48 * 3), 64, 48, "bgr", time.monotonic())
            time.sleep(0.01)
        time.sleep(3600)
    """
    camera = watched(ChildCamera("the camera", helper(tmp_path, hangs), (64, 48), 10.0))
    number, first = eventually(camera.latest).number, eventually(lambda: children_of(camera))
    assert eventually(lambda: children_of(camera) not in (first, None))
    assert eventually(lambda: (newest := camera.latest()) is not None and newest.number > number)
    assert eventually(lambda: not Path(f"/proc/{first}").exists())


def test_a_helper_that_is_killed_is_started_again(tmp_path, watched):
    camera = watched(ChildCamera("the camera", helper(tmp_path, SENDING), (64, 48), 10.0))
    assert eventually(camera.latest)
    first = eventually(lambda: children_of(camera))
    os.kill(first, 9)
    assert eventually(lambda: children_of(camera) not in (first, None))
    assert eventually(lambda: camera.state().named == "ok")


def test_what_a_helper_says_is_wrong_reaches_the_person_and_its_name_the_program(tmp_path, watched):
    camera = watched(ChildCamera("the camera", helper(tmp_path, "fail('pull it out', 'unplugged')"), None, 10.0))
    assert eventually(lambda: camera.state().named == "unplugged")
    assert camera.state().says == "pull it out"


def test_no_helper_outlives_the_camera(tmp_path, watched):
    camera = watched(ChildCamera("the camera", helper(tmp_path, SENDING), (64, 48), 10.0))
    assert eventually(camera.latest)
    process = eventually(lambda: children_of(camera))
    camera.stop()
    assert eventually(lambda: not Path(f"/proc/{process}").exists())


def test_pictures_that_nobody_takes_are_dropped_and_the_next_ones_are_of_now(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    numbered = """
        for number in range(100):
            writer.write(bytes([number]) * (64 * 48 * 3), 64, 48, "bgr", time.monotonic())
        open("written", "w").close()
        while 'go' not in words:
            time.sleep(0.005)
        writer.write(bytes([200]) * (64 * 48 * 3), 64, 48, "bgr", time.monotonic())
        time.sleep(3600)
    """
    stream = ChildStream("the camera", helper(tmp_path, numbered), (64, 48))
    try:
        assert eventually((tmp_path / "written").exists)
        assert [stream.read().picture[0, 0, 0] for _ in range(SLOTS)] == list(range(SLOTS))
        stream.tell("go")
        assert stream.read().picture[0, 0, 0] == 200
    finally:
        stream.close()


def test_a_picture_larger_than_agreed_is_refused_and_not_read(tmp_path):
    stream = ChildStream(
        "the camera", helper(tmp_path, "writer.write(bytes(99), 64, 48, 'bgr', 0.0)\n" + "time.sleep(99)"), (4, 4)
    )
    try:
        with pytest.raises(SourceError, match="does not fit"):
            stream.read()
    finally:
        stream.close()


def test_a_program_that_is_not_there_is_named():
    with pytest.raises(SourceError, match="/nowhere/python cannot be started"):
        ChildStream("the camera", ("/nowhere/python",), (4, 4))


# ---------- the Pi's own camera: its real helper over a stand-in for picamera2 ----------

PICAMERA2 = """
import time
import numpy as np

LOG = {log!r}

class Request:
    def make_array(self, name):
        return np.full((72, 64), 128, np.uint8)
    def get_metadata(self):
        return {{"SensorTimestamp": int(1e9 * (time.clock_gettime(time.CLOCK_BOOTTIME) - 0.05))}}
    def release(self):
        pass

class Picamera2:
    @staticmethod
    def global_camera_info():
        return {cameras!r}
    def __init__(self, number):
        if number >= len(self.global_camera_info()):
            raise IndexError("list index out of range")
    def create_video_configuration(self, **wanted):
        assert wanted["main"] == {{"size": (64, 48), "format": "YUV420"}}
        return wanted
    def configure(self, wanted):
        pass
    def start(self):
        pass
    def capture_request(self):
        time.sleep(0.01)
        return Request()
    def capture_metadata(self):
        return {{"ExposureTime": 40000, "AnalogueGain": 1.5, "ColourGains": (1.9, 1.4), "LensPosition": 2.1}}
    def set_controls(self, controls):
        with open(LOG, "a") as log:
            log.write(repr(controls) + "\\n")
"""


def pi_with(tmp_path, monkeypatch, cameras):
    log = tmp_path / "controls"
    (tmp_path / "picamera2.py").write_text(PICAMERA2.format(log=str(log), cameras=cameras).replace("\\\\n", "\\n"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return PiCamera(0, (64, 48), Path(sys.executable)), log


def test_the_pis_camera_delivers_and_its_light_can_be_kept(tmp_path, monkeypatch, watched):
    camera, log = pi_with(tmp_path, monkeypatch, [{"Num": 0}])
    watched(camera)
    assert eventually(camera.latest).size == (64, 48)
    camera.lock_light()
    kept = eventually(lambda: log.exists() and log.read_text())
    assert "'AeEnable': False" in kept
    assert "'ExposureTime': 20000" in kept, "no longer than two periods of the mains"
    assert "'AnalogueGain': 3.0" in kept, "what the exposure loses the gain gives back"
    assert "'LensPosition': 2.1" in kept


def test_a_pi_without_a_camera_says_to_push_the_ribbon_in(tmp_path, monkeypatch, watched):
    camera, _ = pi_with(tmp_path, monkeypatch, [])
    watched(camera)
    assert eventually(lambda: camera.state().named == "unplugged")
    assert "ribbon" in camera.state().says


def test_a_system_without_picamera2_says_what_to_install(watched):
    camera = watched(PiCamera(0, (64, 48), Path(sys.executable)))
    assert eventually(lambda: camera.state().named == "failed")
    assert "python3-picamera2" in camera.state().says


# ---------- USB ----------


def test_a_missing_usb_camera_is_unplugged_and_found_later(tmp_path, watched):
    device = tmp_path / "video7"
    camera = watched(UsbCamera(str(device), (64, 48), helper(tmp_path, SENDING)))
    assert eventually(lambda: camera.state().named == "unplugged")
    assert "video7" in camera.state().says
    device.touch()
    assert eventually(lambda: camera.state().named == "ok")


def test_a_file_that_is_no_camera_cannot_be_opened_by_the_real_helper(tmp_path, watched):
    device = tmp_path / "video0"
    device.touch()
    camera = watched(UsbCamera(str(device)))
    assert eventually(lambda: camera.state().named == "failed")
    assert "close other programs" in camera.state().says


class FakeCapture:
    """What OpenCV would open; keeps what was set."""

    def __init__(self):
        self.settings = {}

    def set(self, prop, value):
        self.settings[prop] = value
        return True

    def get(self, prop):
        return {cv2.CAP_PROP_EXPOSURE: 157.0, cv2.CAP_PROP_WB_TEMPERATURE: 4600.0}.get(prop, 0.0)


def test_a_usb_camera_is_asked_for_compressed_pictures_of_the_size():
    fake = FakeCapture()
    capture.ask_for(fake, (1280, 720))
    assert fake.settings[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
    assert (fake.settings[cv2.CAP_PROP_FRAME_WIDTH], fake.settings[cv2.CAP_PROP_FRAME_HEIGHT]) == (1280, 720)


def test_locking_the_light_keeps_the_present_exposure_and_white_balance_until_it_is_let_go():
    light, fake = capture.Light(), FakeCapture()
    light.capture = fake
    light.follow()
    assert not fake.settings
    light.obey("lock")
    light.follow()
    assert fake.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    assert fake.settings[cv2.CAP_PROP_EXPOSURE] == 157.0
    assert fake.settings[cv2.CAP_PROP_AUTO_WB] == 0
    assert fake.settings[cv2.CAP_PROP_WB_TEMPERATURE] == 4600.0
    assert fake.settings[cv2.CAP_PROP_AUTOFOCUS] == 0
    light.obey("unlock")
    light.follow()
    assert fake.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 3.0
    assert fake.settings[cv2.CAP_PROP_AUTO_WB] == 1


# ---------- network streams through FFmpeg ----------


@pytest.fixture
def film():
    """A web server that sends a film without end, until told to fall silent."""

    class Answer(BaseHTTPRequestHandler):
        silent = threading.Event()

        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            number = 0
            while not self.silent.wait(0.02):
                number = (number + 7) % 200
                body = cv2.imencode(".jpg", np.full((48, 64, 3), 40 + number, np.uint8))[1].tobytes()
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(body)}\r\n\r\n".encode()
                try:
                    self.wfile.write(head + body + b"\r\n")
                except OSError:
                    return

        def log_message(self, *words):
            pass

    Answer.silent = threading.Event()
    web = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    web.daemon_threads = True
    web.silent, web.url = Answer.silent, f"http://127.0.0.1:{web.server_port}/film"
    runner = threading.Thread(target=web.serve_forever, args=(0.05,))
    runner.start()
    yield web
    web.silent.set()
    web.shutdown()
    web.server_close()
    runner.join()


def test_a_network_stream_is_read_by_the_real_helper_and_comes_back_after_a_silence(film, watched):
    camera = watched(StreamCamera(film.url))
    assert eventually(camera.latest).size == (64, 48)
    film.silent.set()
    assert eventually(lambda: camera.latest() is None and camera.state().named in ("frozen", "unplugged", "waiting"))
    film.silent.clear()
    assert eventually(lambda: camera.state().named == "ok")
