from understudy import *  # noqa: F403  (pytest finds fixtures and hooks here)
