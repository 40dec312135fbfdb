# SPDX-License-Identifier: BSD-3-Clause
# What Doxygen reads instead of a public header: the list of statuses becomes documented
# enumerators, and angle brackets of averages become characters. Line numbers stay.
/^    X\(LATMC_/ {
    entry = $0
    sub(/^    X\(/, "", entry)
    name = entry
    sub(/,.*/, "", name)
    text = entry
    sub(/^[^"]*"/, "", text)
    sub(/"\).*/, "", text)
    value = entry
    sub(/^[^,]*, */, "", value)
    sub(/,.*/, "", value)
    statuses = statuses name " = " value ", /**< " text " */ "
}
/LATMC_STATUS_LIST\(LATMC_STATUS_ENUM\)/ {
    print statuses
    next
}
/LATMC_STATUS_ENUM/ {
    print ""
    next
}
{
    gsub(/<e>/, "\\&lt;e\\&gt;")
    print
}
