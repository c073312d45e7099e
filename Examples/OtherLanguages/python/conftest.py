from understudy import understudy  # noqa: F401  (pytest finds fixtures here)
