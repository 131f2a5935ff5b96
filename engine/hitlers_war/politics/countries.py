"""Countries of Europe that have rules of their own."""

POLAND = "Poland"
FRANCE = "France"
UNITED_STATES = "United States"
BALTIC_STATES = "Baltic States"
SOVIET_UNION = "Soviet Union"

WITH_ARTICLE = (UNITED_STATES, BALTIC_STATES, SOVIET_UNION, "Low Countries")
