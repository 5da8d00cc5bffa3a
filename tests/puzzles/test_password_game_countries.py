"""Countries."""

from __future__ import annotations

import re
from pathlib import Path
from unicodedata import normalize

import pytest

from quandary.puzzles.questions.words.password_game.countries import (
    composed,
    countries,
    country,
    folded,
)

CONTINENTS = {"africa", "asia", "europe", "northamerica", "southamerica", "oceania"}
UNITED_NATIONS = """
Afghanistan, Albania, Algeria, Andorra, Angola, Antigua and Barbuda, Argentina, Armenia, Australia, Austria, Azerbaijan, Bahamas,
Bahrain, Bangladesh, Barbados, Belarus, Belgium, Belize, Benin, Bhutan, Bolivia, Bosnia and Herzegovina, Botswana, Brazil, Brunei,
Bulgaria, Burkina Faso, Burundi, Cabo Verde, Cambodia, Cameroon, Canada, Central African Republic, Chad, Chile, China, Colombia,
Comoros, Congo, Costa Rica, Côte d'Ivoire, Croatia, Cuba, Cyprus, Czechia, Democratic Republic of the Congo, Denmark, Djibouti,
Dominica, Dominican Republic, Ecuador, Egypt, El Salvador, Equatorial Guinea, Eritrea, Estonia, Eswatini, Ethiopia, Fiji, Finland,
France, Gabon, Gambia, Georgia, Germany, Ghana, Greece, Grenada, Guatemala, Guinea, Guinea-Bissau, Guyana, Haiti, Honduras, Hungary,
Iceland, India, Indonesia, Iran, Iraq, Ireland, Israel, Italy, Jamaica, Japan, Jordan, Kazakhstan, Kenya, Kiribati, Kuwait,
Kyrgyzstan, Laos, Latvia, Lebanon, Lesotho, Liberia, Libya, Liechtenstein, Lithuania, Luxembourg, Madagascar, Malawi, Malaysia,
Maldives, Mali, Malta, Marshall Islands, Mauritania, Mauritius, Mexico, Micronesia, Moldova, Monaco, Mongolia, Montenegro, Morocco,
Mozambique, Myanmar, Namibia, Nauru, Nepal, Netherlands, New Zealand, Nicaragua, Niger, Nigeria, North Korea, North Macedonia,
Norway, Oman, Pakistan, Palau, Panama, Papua New Guinea, Paraguay, Peru, Philippines, Poland, Portugal, Qatar, Romania, Russia,
Rwanda, Saint Kitts and Nevis, Saint Lucia, Saint Vincent and the Grenadines, Samoa, San Marino, Sao Tome and Principe,
Saudi Arabia, Senegal, Serbia, Seychelles, Sierra Leone, Singapore, Slovakia, Slovenia, Solomon Islands, Somalia, South Africa,
South Korea, South Sudan, Spain, Sri Lanka, Sudan, Suriname, Sweden, Switzerland, Syria, Tajikistan, Tanzania, Thailand,
Timor-Leste, Togo, Tonga, Trinidad and Tobago, Tunisia, Türkiye, Turkmenistan, Tuvalu, Uganda, Ukraine, United Arab Emirates,
United Kingdom, United States, Uruguay, Uzbekistan, Vanuatu, Venezuela, Vietnam, Yemen, Zambia, Zimbabwe
"""


def test_every_member_of_the_united_nations_is_known() -> None:
    """All 193 of them, and each is another country."""
    members = UNITED_NATIONS.replace("\n", " ").strip().split(", ")

    assert len(members) == 193
    assert len({id(country(name)) for name in members}) == 193


def test_table_is_sound() -> None:
    """Each country has a capital and a continent, in letters and marks, the first of them in
    English letters alone.
    """
    assert len(set(countries())) == len(countries())
    for name in countries():
        capitals, continents = country(name)
        assert all(
            re.sub("['.-]", "", spelling).isalpha() and spelling == spelling.lower()
            for spelling in capitals
        )
        assert re.fullmatch("[a-z]+", capitals[0])
        assert len(set(capitals)) == len(capitals)
        assert CONTINENTS.issuperset(continents)
        assert 1 <= len(continents) <= 2
    assert CONTINENTS == {
        continent for name in countries() for continent in country(name).continents
    }


@pytest.mark.parametrize(
    ("name", "capitals"),
    [
        ("South Africa", {"pretoria", "capetown", "bloemfontein"}),
        ("Bolivia", {"sucre", "lapaz"}),
        ("Sri Lanka", {"kotte", "colombo"}),
        ("Ukraine", {"kyiv", "kiev"}),
        ("Burundi", {"gitega", "bujumbura"}),
        ("Cameroon", {"yaounde", "yaoundé"}),
        ("Guam", {"hagatna", "hagåtna", "hagatña", "hagåtña", "agana"}),
        ("Chad", {"ndjamena", "n'djamena"}),
        ("Benin", {"portonovo", "porto-novo", "cotonou"}),
        ("Netherlands", {"amsterdam", "thehague"}),
        ("Western Sahara", {"laayoune", "laâyoune", "elaaiun", "elaaiún", "tifariti"}),
        ("Jersey", {"sainthelier", "sthelier", "st.helier"}),
        ("Mongolia", {"ulaanbaatar", "ulanbator"}),
        ("India", {"newdelhi"}),
        ("Kazakhstan", {"astana"}),
        ("Germany", {"berlin"}),
    ],
)
def test_capitals_have_all_their_names(name: str, capitals: set[str]) -> None:
    """Several capitals, several spellings, accents or none; and no more than that."""
    assert capitals == set(country(name).capitals)


@pytest.mark.parametrize(
    ("name", "continents"),
    [
        ("Yemen", {"asia"}),
        ("Turkey", {"asia", "europe"}),
        ("Egypt", {"africa", "asia"}),
        ("Russia", {"asia", "europe"}),
        ("Indonesia", {"asia", "oceania"}),
        ("Canada", {"northamerica"}),
        ("Peru", {"southamerica"}),
        ("Greenland", {"northamerica"}),
        ("Fiji", {"oceania"}),
        ("Malta", {"europe"}),
    ],
)
def test_continents(name: str, continents: set[str]) -> None:
    """A country in two continents has both."""
    assert continents == set(country(name).continents)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Czech Republic", "Czechia"),
        ("East Timor", "Timor-Leste"),
        ("Ivory Coast", "Cote d’Ivoire"),
        ("Åland Islands", "aland islands"),
        ("Eswatini", "Swaziland"),
        ("Guinea-Bissau", "guinea bissau"),
    ],
)
def test_countries_go_by_several_names(one: str, other: str) -> None:
    """Other names, case, accents and punctuation lead to the same country."""
    assert country(one) is country(other)


def test_unknown_countries_are_refused() -> None:
    """A sentence says which name is not in the table."""
    with pytest.raises(ValueError, match="there is no country 'Atlantis'"):
        country("Atlantis")


@pytest.mark.parametrize(
    ("written", "compared"),
    [
        ("N'Djamena", "n'djamena"),
        ("N’DJAMENA", "n'djamena"),
        ("N`Djamena", "n'djamena"),
        ("Nukuʻalofa!", "nuku'alofa!"),
        ("Port-au–Prince", "port-au-prince"),
        ("YAOUNDÉ", "yaoundé"),
        ("Yaounde\u0301", "yaoundé"),
        ("YAOUNDE\u0301", "yaoundé"),
        ("oslo\u0360", "osl\ufffd"),  # there is no such letter
        ("osló\u0301", "osl\ufffd"),
        ("Par!s 5", "par!s 5"),
        ("\u212aabul", "\u212aabul"),  # the Kelvin sign is no K
        ("o\u017flo", "o\u017flo"),  # nor is the long s an s
        ("", ""),
        ("\ud800", "\ud800"),
    ],
)
def test_names_are_folded(written: str, compared: str) -> None:
    """Case and kinds of apostrophes and hyphens go; accented letters stay, and so do letters that
    only look English.
    """
    assert compared == folded(written)


def test_accents_without_end_take_little_time() -> None:
    """Sorting the accents of one letter would take forever."""
    assert "a" + "\u0316\u0301" * 500_000 == composed("a" + "\u0316\u0301" * 500_000)
    assert "\ufffd" == folded("a" + "\u0316\u0301" * 500_000)


def test_published_table_agrees(data: Path) -> None:
    """All countries of the published table are known by its names; it errs about Yemen, and has a
    claim to Antarctica.
    """

    def plain(name: str) -> str:
        return re.sub("[^a-z]", "", normalize("NFKD", name).lower())

    table = (data / "textgames" / "words" / "country_capital_city.tsv").read_text(encoding="utf-8")
    errors = []
    for line in table.splitlines()[1:]:
        name, capital, continent = line.split("\t")
        if name == "British Antarctic Territory":
            continue
        ours = country(name)
        if not any(spelling in plain(capital) for spelling in ours.capitals):
            errors.append(capital)
        if continent and plain(continent) not in ours.continents:
            errors.append(f"{name} in {continent}")

    assert errors == ["Yemen in Africa"]


def test_published_capitals_count(data: Path) -> None:
    """Every capital of the published table is accepted as it is spelled there, but for the blanks
    in it.
    """
    table = (data / "textgames" / "words" / "country_capital_city.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in table.splitlines()[1:]]
    refused = [
        capital
        for name, capital, _ in rows
        if name != "British Antarctic Territory"
        and not any(
            spelling in folded(capital.replace(" ", "")) for spelling in country(name).capitals
        )
    ]

    assert [] == refused
