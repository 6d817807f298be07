"""The sentences of the server's errors by code, in English and Chinese. Names of HTTP are values, not text."""

from __future__ import annotations

from collections.abc import Mapping

SERVER: Mapping[str, tuple[str, str]] = {
    # --- requests that are refused ------------------------------------------------------------------------------------
    "large_body": (
        "The body must be at most {limit:,} bytes, got {size:,}.",
        "请求正文有 {size:,} 字节，最多允许 {limit:,} 字节。",
    ),
    "large_body_hint": ("Send less at a time.", "请减少一次发送的内容。"),
    "large_batch": (
        "A batch must have at most {limit:,} problems, got {count:,}.",
        "这一批有 {count:,} 道题，最多允许 {limit:,} 道。",
    ),
    "large_batch_hint": ("Split the batch into several requests.", "请分成几次发送。"),
    "large_sheet": (
        "A worksheet must have at most {limit:,} problems, got {count:,}.",
        "这份练习有 {count:,} 道题，最多允许 {limit:,} 道。",
    ),
    "large_sheet_hint": ("Split the worksheet into several requests.", "请分成几份练习。"),
    "busy": (
        "The server is busy: {waiting} requests are waiting already.",
        "服务器正忙：已有 {waiting} 个请求在等待。",
    ),
    "busy_hint": ("Try again in a second.", "请稍等一秒再试。"),
    "client_connections": (
        "At most {limit:,} connections from {client} are allowed, and all of them have requests.",
        "来自 {client} 的连接最多允许 {limit:,} 个，现在每个连接都有请求。",
    ),
    "client_connections_hint": ("Try again in a second.", "请稍等一秒再试。"),
    "all_connections": (
        "At most {limit:,} connections in all are allowed, and all of them have requests.",
        "服务器最多允许 {limit:,} 个连接，现在每个连接都有请求。",
    ),
    "all_connections_hint": ("Try again in a second.", "请稍等一秒再试。"),
    "late_header": (
        "The header of the request did not arrive within {seconds:g} s.",
        "请求头没有在 {seconds:g} 秒内到达。",
    ),
    "late_header_hint": ("Send the request again.", "请重新发送请求。"),
    "late_body": (
        "The body of the request did not arrive within {seconds:g} s.",
        "请求正文没有在 {seconds:g} 秒内到达。",
    ),
    "late_body_hint": (
        "Send the request again, or send less at a time.",
        "请重新发送请求，或减少一次发送的内容。",
    ),
    "wrong_type": ("The content type must be {wanted}, got {kind}.", "内容类型必须是 {wanted}，收到的是 {kind}。"),
    "wrong_type_hint": ("Send {header}.", "请发送 {header}。"),
    "no_type": ("The content type must be {wanted}, got none.", "没有给出内容类型，应为 {wanted}。"),
    "no_type_hint": ("Send {header}.", "请发送 {header}。"),
    "wrong_host": ("This server does not answer to the name {host}.", "这台服务器不使用 {host} 这个名称。"),
    "wrong_host_hint": (
        "Use the address that the server is known by. The operator can add names with {option}.",
        "请使用这台服务器的地址。管理员可以用 {option} 添加名称。",
    ),
    "stopping": ("The server is shutting down.", "服务器正在关闭。"),
    "stopping_hint": ("Try again in a minute.", "请一分钟后再试。"),
    "too_slow": ("The request was not answered within {seconds:g} s.", "没有在 {seconds:g} 秒内完成请求。"),
    "too_slow_hint": ("Try a shorter problem, or try again later.", "请换一道短一些的题，或稍后再试。"),
    "failed": ("The server failed to process the request.", "服务器处理请求时出错。"),
    "failed_hint": (
        "Try again. If it fails again, tell the operator the {header} of this response.",
        "请再试一次。如果仍然出错，请把本次响应的 {header} 告诉管理员。",
    ),
    "unauthorized": ("The API key is missing or wrong.", "没有提供 API 密钥，或密钥不正确。"),
    "unauthorized_hint": ("Send the header {header}.", "请发送请求头 {header}。"),
    "no_path": ("There is nothing at this path.", "没有这个路径。"),
    "no_path_hint": ("{path} lists the paths and their methods.", "{path} 列出所有路径及其方法。"),
    "no_page": ("This installation has no page.", "这个安装中没有网页。"),
    "no_page_hint": ("{path} lists the paths and their methods.", "{path} 列出所有路径及其方法。"),
    "wrong_method": ("This path does not take {method}.", "这个路径不接受 {method} 请求。"),
    "wrong_method_hint": ("{path} lists the paths and their methods.", "{path} 列出所有路径及其方法。"),
    "not_accepted": ("The request cannot be answered.", "无法处理这个请求。"),
    "not_accepted_hint": ("{path} lists the paths and their methods.", "{path} 列出所有路径及其方法。"),
    # --- fields that are invalid --------------------------------------------------------------------------------------
    "not_json": ("The body must be a JSON object.", "请求正文必须是 JSON 对象。"),
    "not_utf8": ("The body must be a JSON object in UTF-8.", "请求正文必须是 UTF-8 编码的 JSON 对象。"),
    "such_a_body": ("Send a body such as {example}", "请发送这样的正文：{example}"),
    "field_missing": ("The field {field} is missing.", "缺少字段 {field}。"),
    "field_unknown": ("There is no field {field}.", "没有字段 {field}。"),
    "field_string": ("{field} must be a string.", "{field} 必须是字符串。"),
    "field_integer": ("{field} must be an integer.", "{field} 必须是整数。"),
    "field_boolean": ("{field} must be true or false.", "{field} 只能是真或假（布尔值）。"),
    "field_list": ("{field} must be a list.", "{field} 必须是列表。"),
    "field_choice": ("{field} must be one of: {choices}.", "{field} 只能取以下值之一：{choices}。"),
    "field_least": ("{field} must be at least {limit:,}.", "{field} 不能小于 {limit:,}。"),
    "field_most": ("{field} must be at most {limit:,}.", "{field} 不能大于 {limit:,}。"),
    "field_short": ("{field} must have a length of at least {limit:,}.", "{field} 的长度不能小于 {limit:,}。"),
    "field_long": ("{field} must have a length of at most {limit:,}.", "{field} 的长度不能大于 {limit:,}。"),
    "field_invalid": ("The value of {field} is invalid.", "{field} 的值不正确。"),
    "bad_tree": (
        "The tree cannot be read: it is not the prefix form of one complete tree.",
        "无法读取表达式树：它不是一棵完整的树的前缀形式。",
    ),
    "deep_tree": (
        "The tree must be at most {limit} nodes deep, got {depth}.",
        "表达式树有 {depth} 层，最多允许 {limit} 层。",
    ),
    "tree_numbers": (
        "The tree uses more numbers than the {count} of the text.",
        "表达式树用到的数多于题中的 {count} 个数。",
    ),
    "tree_field": ("Send the field {field} of a solution.", "请发送解答中的字段 {field}。"),
}
