_referee() {
    local words word prefix candidate
    # Without -r: a blank after a backslash belongs to its word.
    IFS=$' \t\n' read -a words <<<"${COMP_LINE:0:COMP_POINT}"
    [[ ${COMP_LINE:0:COMP_POINT} == *[[:space:]] ]] && words+=("")
    word=${words[${#words[@]} - 1]}
    mapfile -d $'\v' -t words < <(
        _CLAP_IFS=$'\v' _CLAP_COMPLETE_INDEX=$((${#words[@]} - 1)) VARIABLE=bash \
            PROGRAM -- "${words[@]}" 2>/dev/null
    )
    # Bash has broken the word at `:` and `=`, and replaces what follows the last of them.
    prefix=${word%"${word##*[:=]}"}
    COMPREPLY=()
    for candidate in "${words[@]}"; do
        candidate=${candidate#"$prefix"}
        [[ $candidate == *[[:space:]]* ]] && printf -v candidate %q "$candidate"
        COMPREPLY+=("$candidate")
    done
    [[ ${COMPREPLY-} == *[=/:] ]] && compopt -o nospace 2>/dev/null
    return 0
}
complete -o bashdefault -o nosort -F _referee referee
