"""One run of a study: python3 -m scree._worker SCENE FOLDER THREADS. SIGTERM stops it with a checkpoint."""
import pathlib
import signal
import sys

import scree


class Stopped(BaseException):
    pass


def stop(*_):
    raise Stopped


def main(scene, folder, threads):
    # What was interrupted goes on; what has no checkpoint yet begins again.
    begun = any(pathlib.Path(folder, "checkpoints").glob("checkpoint_*"))
    try:
        signal.signal(signal.SIGTERM, stop)
        if begun:
            simulation = scree.Simulation.resume(folder, threads=int(threads))
        else:
            simulation = scree.Simulation(scene, folder, threads=int(threads), overwrite=True)
        simulation.run()
    except scree.Error as error:
        print(f"{type(error).__name__}: {error}".replace("\n", "; "), file=sys.stderr)
        return 1
    except Stopped:
        return 143
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
