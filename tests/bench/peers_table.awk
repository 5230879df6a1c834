# From samples "ROUND GROUP KIND WHO METRIC VALUE" to tables: medians over the rounds, and ratios of ours to each other,
# paired by round, with their interval: lowest to highest, a 95 % interval of the median for six to eight rounds.

function sorted(list, n,  i, j, x) {
    for (i = 2; i <= n; i++) {
        x = list[i]
        for (j = i - 1; j > 0 && list[j] > x; j--) list[j + 1] = list[j]
        list[j + 1] = x
    }
}

function middle(list, n) { return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2 }

function median(group, kind, who, metric,  r, n, list) {
    for (r = 1; r <= rounds; r++)
        if ((r, group, kind, who, metric) in value) list[++n] = value[r, group, kind, who, metric]
    if (!n) return ""
    sorted(list, n)
    return middle(list, n)
}

# The paired ratio of a to b as text; MIDDLE is its median.
function ratio(group, kind, a, b, metric,  r, n, list) {
    for (r = 1; r <= rounds; r++)
        if ((r, group, kind, a, metric) in value && value[r, group, kind, b, metric] > 0)
            list[++n] = value[r, group, kind, a, metric] / value[r, group, kind, b, metric]
    if (!n) { MIDDLE = 0; return "" }
    sorted(list, n)
    MIDDLE = middle(list, n)
    return sprintf("%.2f (%.2f–%.2f)%s", MIDDLE, list[1], list[n], list[1] <= 1 && list[n] >= 1 ? "~" : "")
}

function verdict(met, words) { printf "  %-68s %s\n", words, met ? "met" : "NOT MET" }

function best_of(group, kind, metric, highest, others,  i, n, names, m, best, name) {
    n = split(others, names, " ")
    for (i = 1; i <= n; i++) {
        m = median(group, kind, names[i], metric)
        if (m != "" && (name == "" || (highest ? m > best : m < best))) { best = m; name = names[i] }
    }
    return name
}

function handshake_table(group, kind, names, title, cost, label,  i, n, who) {
    if (median(group, kind, "ours", cost) == "") return
    printf "\n%s, %s\n  %-22s %10s %10s %8s   %s\n", title, kind, "", "client µs", "server µs", "per s", "ours / it: " label
    n = split(names, who, " ")
    for (i = 1; i <= n; i++)
        printf "  %-22s %10.1f %10.1f %8d   %s\n", long[group, who[i]], median(group, kind, who[i], "client_us"),
            median(group, kind, who[i], "server_us"), median(group, kind, who[i], "rate"),
            i == 1 ? "" : ratio(group, kind, "ours", who[i], cost)
}

function client_verdict(kind,  best) {
    best = best_of("client", kind, "client_us", 0, "wrk ab h2load")
    if (best == "") return
    ratio("client", kind, "ours", best, "client_us")
    verdict(MIDDLE <= 0.92, sprintf("stock OpenSSL client: %.3f × the best, %s; target 0.92", MIDDLE, best))
    ratio("client", kind, "lean", best, "client_us")
    verdict(MIDDLE <= 0.92, sprintf("with --lean: %.3f × the best, %s; target 0.92", MIDDLE, best))
}

function server_verdict(kind) {
    if (ratio("server", kind, "ours", "nginx", "server_us") == "") return
    verdict(MIDDLE <= 0.97, sprintf("%.3f × nginx; target 0.97", MIDDLE))
    ratio("server", kind, "ours", "haproxy", "server_us")
    verdict(MIDDLE <= 1.05, sprintf("%.3f × HAProxy; aim 1.05", MIDDLE))
}

function floor_table(kind,  side, i) {
    if (median("floor", kind, "ours", "client_us") == "") return
    printf "\nBare handshake, %s: our pair in its window, and the same in memory plus plain TCP\n", kind
    printf "  %-8s %10s %10s = %8s + %8s   %s\n", "", "ours µs", "floor µs", "memory", "TCP", "ours / floor"
    for (i = 1; i <= 2; i++) {
        side = i == 1 ? "client" : "server"
        printf "  %-8s %10.1f %10.1f = %8.1f + %8.1f   %s\n", side, median("floor", kind, "ours", side "_us"),
            median("floor", kind, "floor", side "_us"), median("floor", kind, "floor", "memory_" side "_us"),
            median("floor", kind, "floor", "tcp_" side "_us"), ratio("floor", kind, "ours", "floor", side "_us")
        verdict(MIDDLE <= 1.20, sprintf("%s: %.3f × the floor; target 1.20", side, MIDDLE))
    }
}

function bulk_table(kind,  n, i, who, best) {
    if (median("bulk", kind, "ours", "rate_MB") == "") return
    printf "\nDownload, TLS_AES_128_GCM_SHA256, one connection\n  %-22s %8s %12s %12s   %-20s %-20s %s\n", "", "GB/s", "client ns/B",
        "server ns/B", "ours / it: rate", "client", "server"
    n = split("ours ours-nginx wrk h2load curl", who, " ")
    for (i = 1; i <= n; i++)
        printf "  %-22s %8.2f %12.3f %12.3f   %-20s %-20s %s\n", long["bulk", who[i]], median("bulk", kind, who[i], "rate_MB") / 1e3,
            median("bulk", kind, who[i], "client_ns_per_byte"), median("bulk", kind, who[i], "server_ns_per_byte"),
            i == 1 ? "" : ratio("bulk", kind, "ours", who[i], "rate_MB"),
            i == 1 ? "" : ratio("bulk", kind, "ours", who[i], "client_ns_per_byte"),
            i == 1 ? "" : ratio("bulk", kind, "ours", who[i], "server_ns_per_byte")
    best = best_of("bulk", kind, "rate_MB", 1, "wrk h2load curl")
    ratio("bulk", kind, "ours", best, "rate_MB")
    verdict(MIDDLE >= 1.25, sprintf("%.3f × the fastest, %s; target 1.25", MIDDLE, best))
    best = best_of("bulk", kind, "client_ns_per_byte", 0, "wrk h2load curl")
    ratio("bulk", kind, "ours", best, "client_ns_per_byte")
    verdict(MIDDLE < 1, sprintf("client: %.2f × the cheapest, %s, a byte; target below 1", MIDDLE, best))
    best = best_of("bulk", kind, "server_ns_per_byte", 0, "wrk h2load curl")
    ratio("bulk", kind, "ours", best, "server_ns_per_byte")
    verdict(MIDDLE < 1, sprintf("server: %.2f × nginx at its cheapest (%s), a byte; target below 1", MIDDLE, best))
}

{ value[$1, $2, $3, $4, $5] = $6; if ($1 > rounds) rounds = $1 }

END {
    long["client", "ours"] = "suitemark"; long["client", "lean"] = "suitemark --lean"; long["client", "wrk"] = "wrk"; long["client", "ab"] = "ab"; long["client", "h2load"] = "h2load"
    long["server", "ours"] = "suitemark-server"; long["server", "nginx"] = "nginx"; long["server", "haproxy"] = "HAProxy"
    long["bulk", "ours"] = "suitemark, its server"; long["bulk", "ours-nginx"] = "suitemark → nginx"; long["bulk", "wrk"] = "wrk → nginx"
    long["bulk", "h2load"] = "h2load → nginx"; long["bulk", "curl"] = "curl → nginx"
    kinds = split("ecdsa-p256 rsa-2048", kind, " ")
    for (k = 1; k <= kinds; k++) {
        handshake_table("client", kind[k], "ours lean wrk ab h2load", "Clients with the same nginx", "client_us", "client")
        client_verdict(kind[k])
    }
    for (k = 1; k <= kinds; k++) {
        handshake_table("server", kind[k], "ours nginx haproxy", "Servers with the same client", "server_us", "server")
        server_verdict(kind[k])
    }
    for (k = 1; k <= kinds; k++) floor_table(kind[k])
    bulk_table("ecdsa-p256")
    printf "\nCPU per handshake or byte; medians of %d rounds. ratio: paired by round, median (%s); ~ where 1.00 lies within.\n", rounds,
        (rounds >= 6 && rounds <= 8 ? "95 % interval" : "lowest–highest, no interval")
}
