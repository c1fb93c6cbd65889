import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
import pytest

from companion.bench.sources import PhoneCamera
from vision.sources import (
    FolderSource,
    LiveSource,
    MjpegCamera,
    PiCamera,
    Playback,
    Source,
    SourceError,
    StreamCamera,
    UsbCamera,
    VideoSource,
    open_source,
    share,
)


def picture(number, size=(64, 48)):
    return np.full((size[1], size[0], 3), 40 + number % 200, np.uint8)


def eventually(holds, seconds=100.0):
    """Return what holds in the end; a picture that has come may be too old a moment later."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := holds():
            return found
        time.sleep(0.005)
    return None


class Clock:
    """A clock that the test sets."""

    def __init__(self):
        self.now, self.read = 50.0, 0

    def __call__(self):
        self.read += 1
        return self.now


class ScriptedStream:
    """Delivers what the test puts in; blocks until then, as a camera does."""

    def __init__(self):
        self.waiting = []
        self.ready = threading.Semaphore(0)
        self.closed = threading.Event()

    def put(self, *pictures):
        for one in pictures:
            self.waiting.append(one)
            self.ready.release()

    def read(self):
        self.ready.acquire()
        one = self.waiting.pop(0)
        if isinstance(one, SourceError):
            raise one
        return one

    def abort(self):
        """A driver that hangs does not even hear this."""

    def close(self):
        self.closed.set()


@pytest.fixture
def live():
    """A live source over scripted streams; every opening takes the next one."""
    streams = [ScriptedStream() for _ in range(6)]
    opened = []
    clock = Clock()

    def opener():
        opened.append(streams[len(opened)])
        return opened[-1]

    source = LiveSource("the camera", opener, size=(64, 48), clock=clock)
    source.streams, source.opened, source.clock = streams, opened, clock
    yield source
    for stream in streams:
        stream.put(None, None)
    source.stop()


def show(source, stream, *pictures):
    """Let the stream deliver and wait until the last picture has arrived."""
    before = source._number
    stream.put(*pictures)
    assert eventually(lambda: source._number == before + len(pictures))


def test_a_camera_waits_for_its_first_picture_and_then_is_well(live):
    assert live.state().named == "waiting"
    live.start()
    assert live.latest() is None
    assert live.state().named == "waiting"
    show(live, live.streams[0], picture(1))
    assert live.state().named == "ok"
    assert live.state().says == ""
    assert live.latest().picture[0, 0, 0] == 41


def test_only_the_newest_picture_is_kept_and_numbers_count_on(live):
    live.start()
    show(live, live.streams[0], picture(1), picture(2), picture(3))
    assert live.latest().picture[0, 0, 0] == 43
    assert live.latest().number == 2


def test_an_old_picture_is_never_handed_out_as_the_present(live):
    live.start()
    show(live, live.streams[0], picture(1))
    live.clock.now += 2.0
    assert live.latest() is None
    assert live.state().named == "frozen"
    assert "2 s" in live.state().says


def test_a_camera_that_hangs_is_opened_again_while_the_old_one_still_blocks(live):
    live.start()
    show(live, live.streams[0], picture(1))
    live.clock.now += 3.5
    assert eventually(lambda: len(live.opened) == 2)
    show(live, live.streams[1], picture(9))
    assert live.state().named == "ok"
    live.streams[0].put(picture(2))
    assert eventually(live.streams[0].closed.is_set)
    assert live.latest().picture[0, 0, 0] == 49


def test_a_camera_that_is_slow_to_start_is_given_more_time_with_every_try(live):
    live.start()
    assert eventually(lambda: live.opened)
    for tries, seconds in ((1, 2.0), (2, 4.0), (3, 8.0)):
        live.clock.now += seconds - 0.1
        before = live.clock.read
        assert eventually(lambda before=before: live.clock.read >= before + 3), "the watcher has seen that time"
        assert len(live.opened) == tries
        live.clock.now += 0.2
        assert eventually(lambda tries=tries: len(live.opened) == tries + 1)
    show(live, live.streams[3], picture(1))
    assert live.state().named == "ok"


def test_no_call_waits_for_a_camera_that_blocks(live):
    live.start()
    assert eventually(lambda: live.opened)
    assert not hangs(live.latest)
    assert not hangs(live.state)


def hangs(call):
    """Whether a call waits for what does not come; it has far more time than it can need."""
    caller = threading.Thread(target=call, daemon=True)
    caller.start()
    caller.join(60.0)
    return caller.is_alive()


def test_a_camera_that_repeats_one_picture_for_two_seconds_is_frozen(live):
    live.start()
    show(live, live.streams[0], picture(1))
    live.clock.now += 1.2
    show(live, live.streams[0], picture(1))
    assert live.state().named == "ok"
    live.clock.now += 1.2
    show(live, live.streams[0], picture(1))
    assert live.state().named == "frozen"
    show(live, live.streams[0], picture(2))
    assert live.state().named == "ok"


def test_a_black_picture_and_a_wrong_size_have_names(live):
    live.start()
    show(live, live.streams[0], np.zeros((48, 64, 3), np.uint8))
    assert live.state().named == "black"
    assert "lens cap" in live.state().says
    show(live, live.streams[0], picture(1, (32, 48)))
    assert live.state().named == "wrong size"
    assert "32 x 48" in live.state().says
    assert "64 x 48" in live.state().says


def test_black_pictures_may_be_all_the_same_and_are_not_called_frozen(live):
    live.start()
    for _ in range(4):
        show(live, live.streams[0], np.zeros((48, 64, 3), np.uint8))
        live.clock.now += 0.9
    show(live, live.streams[0], np.zeros((48, 64, 3), np.uint8))
    assert live.state().named == "black"
    assert len(live.opened) == 1


def test_a_frozen_camera_is_opened_again(live):
    live.start()
    for _ in range(6):
        show(live, live.streams[0], picture(1))
        live.clock.now += 0.9
        if len(live.opened) > 1:
            break
    assert eventually(lambda: len(live.opened) == 2)


def test_an_unplugged_camera_says_so_and_comes_back_by_itself(live):
    live.start()
    show(live, live.streams[0], picture(1))
    live.streams[0].put(SourceError("the camera was unplugged; plug it in again", "unplugged"))
    assert eventually(live.streams[0].closed.is_set)
    live.clock.now += 1.6
    assert live.state().named == "unplugged"
    assert eventually(lambda: len(live.opened) == 2)
    show(live, live.streams[1], picture(5))
    assert live.state().named == "ok"


def test_stop_may_be_called_twice_and_start_again_afterwards(live):
    live.start()
    show(live, live.streams[0], picture(1))
    live.streams[0].put(picture(2))
    live.stop()
    live.stop()
    assert live.latest() is None
    assert live.state().named == "waiting"
    live.start()
    assert eventually(lambda: len(live.opened) == 2)
    show(live, live.streams[1], picture(7))
    assert live.latest().picture[0, 0, 0] == 47


def test_a_number_means_the_video_device_of_that_number():
    assert UsbCamera(2).device == "/dev/video2"
    assert UsbCamera("/dev/v4l/by-id/usb-cam").device == "/dev/v4l/by-id/usb-cam"


def jpeg(number):
    return cv2.imencode(".jpg", picture(number))[1].tobytes()


@pytest.fixture
def server():
    """A web server whose answer the test chooses: content type and body parts."""

    class Answer(BaseHTTPRequestHandler):
        kind, parts, held = "multipart/x-mixed-replace; boundary=frame", [], threading.Event()

        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", self.kind)
            self.end_headers()
            for part in self.parts:
                self.wfile.write(part)
            self.wfile.flush()
            self.held.wait(200)

        def log_message(self, *words):
            pass

    Answer.held = threading.Event()
    web = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    web.answer = Answer
    web.url = f"http://127.0.0.1:{web.server_port}/video"
    runner = threading.Thread(target=web.serve_forever, args=(0.05,))
    runner.start()
    yield web
    Answer.held.set()
    web.shutdown()
    web.server_close()
    runner.join()


@pytest.mark.parametrize("with_length", [True, False])
def test_the_parts_of_an_mjpeg_stream_arrive_as_pictures(server, with_length):
    parts = []
    for number in (1, 90):
        body = jpeg(number)
        length = f"Content-Length: {len(body)}\r\n".encode() if with_length else b""
        parts.append(b"--frame\r\nContent-Type: image/jpeg\r\n" + length + b"\r\n" + body + b"\r\n")
    server.answer.parts = [*parts, b"--frame\r\n"]
    camera = MjpegCamera(server.url)
    camera._clock = lambda: 50.0  # pictures do not grow old while a busy machine looks elsewhere
    camera.start()
    try:
        assert eventually(lambda: camera.latest() is not None and camera.latest().number == 1)
        assert abs(int(camera.latest().picture[20, 20, 0]) - 130) <= 2
    finally:
        server.answer.held.set()
        camera.stop()


def test_a_web_page_is_no_camera_and_the_sentence_says_what_it_was(server):
    server.answer.kind = "text/html"
    server.answer.held.set()
    camera = MjpegCamera(server.url)
    camera.start()
    try:
        assert eventually(lambda: camera.state().named == "failed")
        assert "text/html" in camera.state().says
    finally:
        camera.stop()


def test_parts_that_are_no_pictures_are_named(server):
    server.answer.parts = [b"--frame\r\nContent-Length: 5\r\n\r\nhello\r\n"]
    server.answer.held.set()
    camera = MjpegCamera(server.url)
    camera.start()
    try:
        assert eventually(lambda: "no JPEG" in camera.state().says)
    finally:
        camera.stop()


class Silent:
    """A server that takes a call, and then says nothing or a byte now and then."""

    def __init__(self, says=b""):
        self.line = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.line.getsockname()[1]}/video"
        self.calls, self.over, self.says = [], threading.Event(), says
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self):
        while not self.over.is_set():
            try:
                call, _ = self.line.accept()
            except OSError:
                return
            self.calls.append(call)
            threading.Thread(target=self._drip, args=(call,), daemon=True).start()

    def _drip(self, call):
        try:
            call.sendall(self.says)
            while self.says and not self.over.wait(0.2):
                call.sendall(b"x")
        except OSError:
            return

    def close(self):
        self.over.set()
        self.line.close()
        for call in self.calls:
            call.close()


DRIPPING = b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"


@pytest.mark.parametrize("says", [b"", DRIPPING], ids=["silent", "dripping"])
def test_a_server_that_takes_the_call_and_sends_no_picture_is_called_again(says):
    server = Silent(says)
    camera = MjpegCamera(server.url, timeout=0.4)
    camera.start()
    try:
        assert eventually(lambda: len(server.calls) >= 3)
        assert camera.state().named in ("waiting", "unplugged")
        assert eventually(lambda: [t.name for t in threading.enumerate()].count(f"read {camera.name}") <= 2)
    finally:
        camera.stop()
        server.close()


@pytest.mark.parametrize("says", [b"", DRIPPING], ids=["silent", "dripping"])
def test_a_server_that_takes_the_call_and_sends_no_picture_holds_up_nobody(says):
    server = Silent(says)
    camera = MjpegCamera(server.url, timeout=1000.0)
    camera.start()
    try:
        assert eventually(lambda: server.calls)
        assert not hangs(camera.latest)
        assert not hangs(camera.state)
        assert not hangs(camera.stop)
    finally:
        server.close()


def test_an_address_where_nobody_answers_is_unplugged():
    camera = MjpegCamera("http://127.0.0.1:9/video", timeout=0.5)
    camera.start()
    try:
        assert eventually(lambda: camera.state().named == "unplugged")
        assert "does not answer" in camera.state().says
    finally:
        camera.stop()


@pytest.mark.parametrize(("away", "back"), [("unplug", "plug_in"), ("hang", "go_on")])
def test_a_camera_on_the_network_that_goes_away_has_a_name_and_is_back_by_itself(away, back):
    web = PhoneCamera()
    camera = MjpegCamera(web.url)
    camera.start()
    try:
        assert eventually(lambda: camera.state().named == "ok")
        getattr(web, away)()
        assert eventually(lambda: camera.state().named in ("unplugged", "frozen") and camera.latest() is None)
        last = camera._number
        getattr(web, back)()
        newest = eventually(lambda: camera.state().named == "ok" and camera.latest())
        assert newest.number >= last
    finally:
        camera.stop()
        web.close()


@pytest.fixture
def folder(tmp_path):
    for name, number in (("b.jpg", 60), ("a.jpg", 10), ("c.jpg", 110)):
        cv2.imwrite(str(tmp_path / name), picture(number))
    (tmp_path / "notes.txt").write_text("no picture")
    return tmp_path


def test_a_folder_delivers_its_pictures_in_the_order_of_their_names(folder):
    source = FolderSource(folder, interval=0.5)
    frames = [source.next() for _ in range(3)]
    assert [round(frame.picture.mean() / 10) for frame in frames] == [5, 10, 15]
    assert [frame.at for frame in frames] == [0.0, 0.5, 1.0]
    assert source.next() is None
    assert source.state().named == "waiting"
    assert "all its 3 pictures" in source.state().says
    assert source.latest() is frames[-1]


def test_a_broken_picture_in_a_folder_is_named_and_passed_over(folder):
    (folder / "b.jpg").write_bytes(b"not a picture")
    source = FolderSource(folder)
    assert source.next() is not None
    assert source.next() is None
    assert source.state().named == "failed"
    assert "b.jpg" in source.state().says
    third = source.next()
    assert (third.number, third.at) == (2, 0.4)
    assert source.state().named == "ok"


def film(path, numbers=(0, 50, 100)):
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for number in numbers:
        writer.write(picture(number))
    writer.release()
    return path


@pytest.mark.parametrize("kind", ["folder", "video"])
def test_a_disk_that_is_pulled_out_is_named_and_goes_on_where_it_was_at_the_next_call(tmp_path, kind):
    disk, away = tmp_path / "disk", tmp_path / "pulled out"
    disk.mkdir()
    for name, number in (("a.png", 0), ("b.png", 50), ("c.png", 100)):
        cv2.imwrite(str(disk / name), picture(number))
    source = FolderSource(disk) if kind == "folder" else VideoSource(film(disk / "film.avi"))
    assert source.next().number == 0
    disk.rename(away)
    for _ in range(3):
        assert source.next() is None
        assert source.state().named == "unplugged"
        assert "plug its disk in again" in source.state().says
    away.rename(disk)
    second = source.next()
    assert (second.number, round(second.picture.mean() / 10)) == (1, 9)
    assert source.state().named == "ok"
    assert source.next().number == 2
    assert source.next() is None
    assert source.state().named == "waiting"


def test_two_readers_of_a_recording_both_see_every_picture(folder):
    cards, dice = share(FolderSource(folder), 2)
    cards.start()
    dice.start()
    assert [cards.next().number, cards.next().number] == [0, 1]
    assert [dice.next().number for _ in range(3)] == [0, 1, 2]
    assert cards.next().number == 2
    assert (cards.next(), dice.next()) == (None, None)
    assert cards.latest().number == dice.latest().number == 2
    assert cards.state().named == "waiting"
    assert isinstance(cards, Playback)


def test_a_reader_waits_for_a_slow_one_and_for_none_that_has_left(tmp_path):
    for number in range(20):
        cv2.imwrite(str(tmp_path / f"{number:02}.png"), picture(number))
    fast, slow = share(FolderSource(tmp_path), 2)
    fast.start()
    slow.start()
    assert slow.next().number == 0
    seen = [fast.next() for _ in range(12)]
    assert [frame and frame.number for frame in seen] == [*range(9), None, None, None]
    assert fast.latest().number == 8
    assert slow.next().number == 1
    assert fast.next().number == 9
    slow.stop()
    assert [fast.next().number for _ in range(3)] == [10, 11, 12]
    assert slow.next() is None
    slow.start()
    assert (slow.next().number, fast.next().number) == (13, 13)


def test_a_camera_that_is_shared_is_the_camera():
    camera = UsbCamera(0)
    assert share(camera, 2) == (camera, camera)


def test_a_video_delivers_its_pictures_with_its_own_times(tmp_path):
    source = VideoSource(film(tmp_path / "film.avi"))
    frames = [source.next() for _ in range(3)]
    assert [round(frame.at, 3) for frame in frames] == [0.0, 0.1, 0.2]
    assert [round(frame.picture.mean() / 10) for frame in frames] == [4, 9, 14]
    assert source.next() is None
    source.stop()
    source.stop()


def test_every_source_speaks_the_protocol_and_recordings_play_back(folder):
    assert isinstance(FolderSource(folder), Playback)
    cameras = (UsbCamera(0), PiCamera(0), MjpegCamera("http://camera/video"), StreamCamera("rtsp://camera"))
    for source in (FolderSource(folder), *cameras):
        assert isinstance(source, Source)
    assert not isinstance(UsbCamera(0), Playback)


def test_addresses_open_the_source_they_name(folder):
    assert isinstance(open_source("usb:0"), UsbCamera)
    assert open_source("usb:/dev/video3").device == "/dev/video3"
    assert isinstance(open_source(f"folder:{folder}"), FolderSource)
    assert isinstance(open_source("http://camera.local:8080/video"), MjpegCamera)
    assert isinstance(open_source("rtsp://camera.local/stream"), StreamCamera)
    assert isinstance(open_source("pi:1"), PiCamera)


@pytest.mark.parametrize(
    "address", ["", "usb:", "usb:front", "camera", "ftp://camera/video", "folder:", "http://", "rtsp://", "pi:left"]
)
def test_anything_else_is_one_sentence_with_the_forms_that_are_known(address):
    with pytest.raises(SourceError, match="names no source of pictures; write usb:0") as refused:
        open_source(address)
    assert repr(address) in str(refused.value)


def test_what_is_missing_on_disk_is_named(tmp_path):
    with pytest.raises(SourceError, match="no folder"):
        open_source(f"folder:{tmp_path / 'nowhere'}")
    with pytest.raises(SourceError, match="holds no picture"):
        open_source(f"folder:{tmp_path}")
    with pytest.raises(SourceError, match="no file"):
        open_source(f"video:{tmp_path / 'film.mp4'}")
    (tmp_path / "film.mp4").write_bytes(b"no film")
    with pytest.raises(SourceError, match="not a video"):
        open_source(f"video:{tmp_path / 'film.mp4'}")
