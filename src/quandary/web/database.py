"""What the site keeps in SQLite: a reply is stored before it is acknowledged."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from quandary.arena.jsonl import lock
from quandary.core.errors import UserError

FILE, LOCK = "site.sqlite", "site.lock"
VERSION = 2  # of the tables
SCHEMA = """
create table if not exists site (key text primary key, value text not null);
create table if not exists matches (
    id text primary key,
    spec text not null,
    players text not null,
    takers text not null,
    settings text not null,
    start text not null,
    used text not null,
    begun real not null,
    ended real,
    recorded integer not null default 0,
    study text not null default '',
    kept_repeat integer,
    rematch text not null default ''
);
create index if not exists unrecorded on matches (recorded, ended);
create index if not exists of_people on matches (study);
create index if not exists unfinished on matches (begun) where ended is null;
create index if not exists followed on matches (rematch) where rematch <> '';
create table if not exists heard (
    match text not null references matches (id) on delete cascade,
    number integer not null,
    heard text not null,
    primary key (match, number)
) without rowid;
create table if not exists shown (
    match text not null references matches (id) on delete cascade,
    seat integer not null,
    number integer not null,
    at real not null,
    primary key (match, seat, number)
) without rowid;
create table if not exists awaited (
    match text not null references matches (id) on delete cascade,
    seat integer not null,
    number integer not null,
    since real not null,
    primary key (match, seat)
) without rowid;
create table if not exists people (
    number integer primary key,
    pseudonym text not null unique,
    visitor text not null unique,
    consent text not null,
    agreed real not null,
    answers text not null,
    stopped real
);
create table if not exists deletions (
    number integer primary key,
    pseudonym text not null,
    visitor text not null default ''
);
"""


class Unwritable(Exception):
    """The database cannot be written, for example because the disk is full."""


class Database:
    """One connection, of this server alone."""

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = (folder / LOCK).open("ab")
        except OSError as reason:
            raise UserError(
                f"nothing can be kept in {folder}: {reason.strerror or reason}; choose another "
                f"--data."
            ) from None
        if not lock(self._lock, wait=False):
            self._lock.close()
            raise UserError(
                f"another server keeps its matches in {folder}; stop it, or choose another --data."
            )
        try:
            self._open(folder / FILE)
        except (sqlite3.Error, Unwritable) as reason:
            self._lock.close()
            raise UserError(
                f"{folder / FILE} cannot be used as the database of the site ({reason}); restore "
                f"it from a copy, or choose another --data."
            ) from None

    def _open(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        for setting in (
            "journal_mode = wal",
            "synchronous = normal",  # a crash of the server loses nothing
            "foreign_keys = on",
            "secure_delete = on",  # what a person deletes is overwritten
        ):
            self._connection.execute(f"pragma {setting}")
        [version] = self._connection.execute("pragma user_version").fetchone()
        if version == 1:
            self._connection.execute(
                "alter table deletions add column visitor text not null default ''"
            )
        elif version not in (0, VERSION):
            self._connection.close()
            raise UserError(
                f"{path} is of another version of quandary; choose another --data, or use that "
                f"version."
            )
        self._connection.executescript(SCHEMA)
        self._connection.execute(f"pragma user_version = {VERSION}")

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        return self._connection.execute(query, values).fetchall()

    def write(self, command: str, *values: Any) -> None:
        """Unwritable if it is not stored."""
        try:
            self._connection.execute(command, values)
        except sqlite3.Error as reason:
            raise Unwritable(str(reason)) from None

    @contextmanager
    def together(self) -> Iterator[None]:
        """Commands within are stored all or none."""
        self.write("begin immediate")
        try:
            yield
            self.write("commit")
        except BaseException:
            self._connection.rollback()
            raise

    def value(self, key: str, usual: str) -> str:
        """Return a value of the site, which is `usual` from the first time on."""
        self.write("insert or ignore into site values (?, ?)", key, usual)
        [(found,)] = self.rows("select value from site where key = ?", key)
        return str(found)

    def put(self, key: str, value: str) -> None:
        """Replace a value of the site."""
        self.write("insert or replace into site values (?, ?)", key, value)

    def forget_deleted(self) -> None:
        """Leave no copy of deleted rows in the log of SQLite."""
        self.write("pragma wal_checkpoint(truncate)")

    def close(self) -> None:
        self._connection.close()
        self._lock.close()
