"""Scenes of dicts and numbers as TOML."""
import json
import math
import numbers
import re


def plain(value, where):
    """The value in the types of TOML; NumPy's numbers and arrays become Python's."""
    if isinstance(value, dict):
        return {word(key): plain(item, f"{where}.{word(key)}") for key, item in value.items()}
    if isinstance(value, (str, bool)):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    if type(value).__name__ == "bool_":  # NumPy's
        return bool(value)
    if hasattr(value, "tolist"):
        return plain(value.tolist(), where)
    if isinstance(value, (list, tuple)):
        return [plain(item, f"{where}[{k}]") for k, item in enumerate(value)]
    if hasattr(value, "__fspath__"):
        return value.__fspath__()
    raise TypeError(f"{where} = {value!r}: a scene has numbers, texts, true and false, lists and dicts of them")


def word(key):
    """`from` is a word of scenes and of Python: there it is written from_."""
    if not isinstance(key, str):
        raise TypeError(f"{key!r}: the keys of a scene are texts")
    return key[:-1] if key.endswith("_") else key


def name(key):
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key)


def inline(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if math.isnan(value) or math.isinf(value):
            return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
        return repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list):
        return "[" + ", ".join(inline(item) for item in value) + "]"
    return "{ " + ", ".join(f"{name(key)} = {inline(item)}" for key, item in value.items()) + " }"


def document(scene):
    """TOML of a scene: a line per key, so that messages with line numbers are of use."""
    lines = [f"{name(key)} = {inline(value)}" for key, value in scene.items() if not _is_table(value)]
    for key, value in scene.items():
        if not _is_table(value):
            continue
        for table in value if isinstance(value, list) else [value]:
            lines += ["", f"[[{name(key)}]]" if isinstance(value, list) else f"[{name(key)}]"]
            tables = {k: v for k, v in table.items() if isinstance(v, dict) and not isinstance(value, list)}
            lines += [f"{name(k)} = {inline(v)}" for k, v in table.items() if k not in tables]
            for k, v in tables.items():
                lines += ["", f"[{name(key)}.{name(k)}]"] + [f"{name(i)} = {inline(j)}" for i, j in v.items()]
    return "\n".join(lines).strip("\n") + "\n"


def _is_table(value):
    return isinstance(value, dict) or isinstance(value, list) and value != [] and all(isinstance(v, dict) for v in value)
