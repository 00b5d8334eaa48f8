# Work out every estimate of this survey again, from the noisy reports alone.
#
#     Rscript analysis.R [folder]        needs R 4.0 or newer, and no package
#
# reports.csv holds one row for each person and one code for each column; channels.json holds, in integers, the
# chance of each code under each answer. That is all that is needed. In the order of this file:
#
# 0. Reading           of JSON, for which base R has no function, and of a channel and its counts.
# 1. Shares.           What would the shares of the answers have to be, to give the codes that came?
# 2. Likeliest shares. The same, but never below 0 or above 1.
# 3. Intervals         of a share whose reports are a simple count, by four methods.
# 4. Intervals         of a share whose reports are not, by likelihood.
# 5. Means             of numbers.
# 6. Pooling           of reports from the browser and from real coins.
# 7. The band          for people who saw their result and left before they sent it.
# 8. The comparison    with estimates.csv. It prints the largest difference, and ends with status 1 where one
#                      is too large: 1e-9 for what a formula gives, 1e-6 for what is searched for.
#
# Not worked out here: quantiles of numbers, and a share where several are equally likely; the estimate as a
# number of people; what answers cost in privacy (epsilon); and how far a forged report reaches (radius).
# The script is the same in every download: it knows nothing of this survey but what it reads. analysis.py does
# the same in Python, with the same names.

# 0. Reading ------------------------------------------------------------------------------------------------

# Return what a JSON file holds: objects as named lists, a list of numbers as a vector.
read_json <- function(path) {
  text <- paste(readLines(path, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  string <- '"(?:[^"\\\\]|\\\\.)*+"'
  numbers <- "\\[[-+0-9.eE,\\s]+\\]"
  pattern <- paste(string, numbers, "[-+0-9.eE]+", "true|false|null", "[][{}:,]", sep = "|")
  tokens <- regmatches(text, gregexpr(pattern, text, perl = TRUE, useBytes = TRUE))[[1]]
  at <- 0
  following <- function() tokens[at <<- at + 1]
  unquoted <- function(token) substr(token, 2, nchar(token, "bytes") - 1)
  value <- function(token) {
    found <- list()
    if (token == "{") {
      while ((token <- following()) != "}") {
        if (token == ",") token <- following()
        following() # the colon
        found[unquoted(token)] <- list(value(following()))
      }
      return(found)
    }
    if (token == "[") {
      while ((token <- following()) != "]") {
        if (token != ",") found[length(found) + 1] <- list(value(token))
      }
      return(found)
    }
    switch(substr(token, 1, 1),
      "\"" = unquoted(token),
      "[" = as.numeric(strsplit(unquoted(token), ",")[[1]]),
      "n" = NULL, "t" = TRUE, "f" = FALSE,
      as.numeric(token)
    )
  }
  value(following())
}

# Return the matrix of a channel that is too large to be written out: answers x reports, integers.
expand <- function(generator) {
  if (generator[["form"]] == "tails") { # tails[d] is the weight of noise d or more; both ends collect the rest
    tails <- generator[["tails"]]
    size <- length(tails)
    noise <- c(tails[-size] - tails[-1], 0)
    found <- matrix(noise[abs(outer(1:size, 1:size, "-")) + 1], size)
    found[, 1] <- tails
    found[, size] <- rev(tails)
    return(found)
  }
  n <- generator[["answers"]] - 1
  if (generator[["form"]] == "rows") { # rows at knots, linear in between; rows left out are others backwards
    rows <- do.call(rbind, generator[["rows"]])
    s <- generator[["knots"]] - 1
    out <- s + 1 - nrow(rows)
    if (out) rows <- rbind(rows, rows[out:1, ncol(rows):1, drop = FALSE])
    q <- (0:n * s) %/% n
    r <- (0:n * s) %% n
    mixed <- (n - r) * rows[q + 1, ] + r * rows[pmin(q + 1, s) + 1, ]
    found <- -((-mixed) %/% n)
    largest <- cbind(0:n + 1, max.col(found, "first"))
    found[largest] <- found[largest] - (rowSums(found) - rowSums(rows[q + 1, ]))
    return(found)
  }
  parts <- lapply(generator[["windows"]], function(window) { # windows that slide along with the answer
    columns <- window[1]
    width <- window[2]
    q <- (0:n * (columns - width)) %/% n
    ramp <- ((window[3] - window[4]) * ((0:n * (columns - width)) %% n)) %/% n
    report <- matrix(0:(columns - 1), n + 1, columns, byrow = TRUE)
    found <- ifelse(report >= q & report < q + width, window[3], window[4])
    found + ramp * ((report == q + width) - (report == q))
  })
  do.call(cbind, parts)
}

# Return the reports of one column that came one way: `counts` of each report, and P(report | answer).
reports_of <- function(counts, channel) {
  if (is.null(channel[["matrix"]])) {
    weights <- expand(channel[["generator"]])
  } else {
    weights <- do.call(rbind, channel[["matrix"]])
  }
  # "Not sampled" has the same chance under every answer. It says nothing and is left out.
  telling <- apply(weights, 2, function(column) max(column) > min(column)) | !is.null(channel[["grid"]])
  weights <- weights[, telling, drop = FALSE]
  list(
    seen_first = channel[["seen_first"]], respondents = sum(counts),
    counts = counts[telling], reported = sum(counts[telling]),
    chances = weights / rowSums(weights), grid = channel[["grid"]], values = channel[["values"]]
  )
}

# 1. Shares -------------------------------------------------------------------------------------------------

# Return what each report adds to each answer's share, so that on average the shares come out right.
#
# The shares of the reports are on average (shares of the answers) %*% chances. For a square matrix this is its
# inverse; with more reports than answers, least squares weighted at equally frequent answers. For yes/no it is
# the familiar (noisy share - 0.5 (1 - p)) / p.
inverse_of <- function(chances) {
  root <- sqrt(colMeans(chances))
  parts <- svd(t(t(chances) / root))
  parts$v %*% (t(parts$u) / parts$d) / root
}

# Return the unbiased shares and their standard errors; a share may leave [0, 1].
shares_of <- function(reports) {
  adds <- inverse_of(reports$chances)
  shares <- drop(reports$counts %*% adds) / reports$reported
  spread <- drop(reports$counts %*% sweep(adds, 2, shares)^2)
  list(shares = shares, errors = sqrt(spread) / reports$reported)
}

# 2. Likeliest shares ---------------------------------------------------------------------------------------

# Return the shares that make the counts likeliest, and their log-likelihood.
#
# Shares are 0 or more, and those of the answers that row i of `sets` marks have the sum masses[i]; without it,
# all have the sum 1. An interior point method (Boyd & Vandenberghe 2004, Convex Optimization, 11.7).
likeliest <- function(chances, counts, sets = matrix(1, 1, nrow(chances)), masses = 1) {
  asked <- masses > 0 # a set of mass 0 has shares of 0
  possible <- colSums(sets[asked, , drop = FALSE]) > 0
  sets <- sets[asked, possible, drop = FALSE]
  masses <- masses[asked]
  noisy <- counts[counts > 0] / sum(counts)
  chances <- chances[possible, counts > 0, drop = FALSE]
  size <- nrow(chances)
  shares <- drop((masses / rowSums(sets)) %*% sets)
  slack <- rep(1, size) # the multipliers of "0 or more"; at the top slack * shares is 0
  for (step in 1:100) {
    expected <- drop(shares %*% chances)
    gains <- drop(chances %*% (noisy / expected)) # the gradient of sum noisy * log(expected)
    curvature <- t(t(chances) * (noisy / expected^2)) %*% t(chances)
    target <- sum(shares * slack) / size / 10
    system <- rbind(
      cbind(curvature + diag(slack / shares, size), t(sets)),
      cbind(sets, matrix(0, length(masses), length(masses)))
    )
    wanted <- c(gains + target / shares, masses - drop(sets %*% shares))
    move <- solve(system, wanted, tol = 0)[seq_len(size)]
    slack_move <- target / shares - slack - slack / shares * move
    shrinking <- max(-move / shares, -slack_move / slack)
    length_of_move <- if (shrinking > 0) min(1, 0.99 / shrinking) else 1
    shares <- shares + length_of_move * move
    slack <- slack + length_of_move * slack_move
    if (sum(shares * slack) < 1e-15) break
  }
  found <- numeric(length(possible))
  found[possible] <- shares
  list(shares = found, log_likelihood = sum(counts) * sum(noisy * log(drop(shares %*% chances))))
}

# 3. Intervals where reports are a simple count ---------------------------------------------------------------
#
# How often "yes" was reported is binomial, and its chance is on a line: a + (b - a) * share. The same holds for
# each option of a wheel, and for the sets that contain an option. An interval for the chance becomes one for
# the share, cut to [0, 1].

# Return n, x, a and b of each answer, or NULL where no set of reports hangs on one share alone.
simple_counts <- function(reports) {
  chances <- reports$chances
  answers <- nrow(chances)
  speaks <- diag(answers) == 1
  if (ncol(chances) != answers) { # reports are sets of answers: those that it is likelier under
    middle <- (apply(chances, 2, min) + apply(chances, 2, max)) / 2
    speaks <- t(t(chances) > middle)
  } else if (answers == 2 && chances[2, 2] < chances[1, 2]) {
    speaks <- !speaks # report 0 is the one that says yes
  }
  support <- chances %*% t(speaks) # [i, j]: the chance that answer i sends a report that speaks for j
  own <- diag(support)
  lowest <- (colSums(support) - own) / (answers - 1)
  others <- abs(sweep(support, 2, lowest))
  diag(others) <- 0
  if (any(own <= lowest) || any(apply(others, 2, max) > 1e-3 * (own - lowest))) return(NULL)
  lapply(seq_len(answers), function(answer) {
    list(n = reports$reported, x = sum(reports$counts[speaks[answer, ]]), a = lowest[answer], b = own[answer])
  })
}

# Return where `holds` turns from false to true between two points, by bisection.
turning_point <- function(holds, low, high) {
  for (step in 1:200) {
    middle <- (low + high) / 2
    if (!(low < middle && middle < high)) break
    if (holds(middle)) high <- middle else low <- middle
  }
  high
}

# Return the log-likelihood of x reports among n. A chance is never 0 or 1, or a report would be certain.
log_likelihood <- function(n, x, chance) x * log(chance) + (n - x) * log1p(-chance)

# Return P(X >= at_least) + P(X <= at_most) of a binomial.
p_value <- function(n, at_least, at_most, chance) {
  pbinom(at_least - 1, n, chance, lower.tail = FALSE) + pbinom(at_most, n, chance)
}

# Return the low end of the exact test's interval for the chance, within [a, b].
#
# A chance is rejected if the outcomes at least as extreme as x have a probability of 1 - level or less. One
# outcome is more extreme than another if its likelihood, over the greatest that it can have in [a, b], is
# smaller (Feldman & Cousins 1998, Physical Review D 57). From low chances up, all outcomes above x are more
# extreme, and an outcome below x is so from its tie with x on. So the p-value jumps at the ties and is smooth
# between them, and the end is at the first tie that is accepted or on the stretch before it.
exact_low <- function(n, x, a, b, level) {
  alpha <- 1 - level
  if (x / n <= a || p_value(n, x, -1, a) > alpha) return(a)
  greatest <- function(outcome) log_likelihood(n, outcome, pmin(pmax(outcome / n, a), b))
  tie <- function(j) max(1 / (1 + exp((greatest(j) - greatest(x)) / (x - j))), a)
  # From tie to tie the p-value rises, as the mean moves by less than one outcome.
  accepted <- function(j) p_value(n, x, ceiling(j), tie(ceiling(j))) > alpha
  first <- ceiling(turning_point(accepted, -1, x - 1))
  start <- if (first) tie(first - 1) else a
  turning_point(function(chance) p_value(n, x, first - 1, chance) > alpha, start, tie(first))
}

# Return the lowest chance in [a, b] whose log-likelihood is not far below the greatest there.
#
# "Far" is half the quantile of chi-square with 1 degree of freedom (Wilks 1938).
likelihood_low <- function(n, x, a, b, level) {
  best <- min(max(x / n, a), b)
  least <- log_likelihood(n, x, best) - normal_quantile(level)^2 / 2
  holds <- function(chance) log_likelihood(n, x, chance) >= least
  if (holds(a)) a else turning_point(holds, a, best)
}

# Return how many standard errors a two-sided interval of this level reaches: 1.96 for 0.95.
normal_quantile <- function(level) -qnorm((1 - level) / 2)

# Return the interval of a share by one of four methods.
simple_interval <- function(count, level, method) {
  n <- count$n
  x <- count$x
  a <- count$a
  b <- count$b
  share <- x / n
  z <- normal_quantile(level)
  if (method == "wald") { # estimate plus and minus z standard errors
    ends <- share + c(-1, 1) * z * sqrt(share * (1 - share) / n)
  } else if (method == "wilson") { # (share - chance)^2 = z^2 chance (1 - chance) / n, solved for the chance
    margin <- z * sqrt(share * (1 - share) / n + z^2 / (4 * n^2))
    ends <- (share + z^2 / (2 * n) + c(-1, 1) * margin) / (1 + z^2 / n)
  } else { # the high end of yes is the low end of no, turned around
    low_of <- if (method == "exact") exact_low else likelihood_low
    best <- min(max(share, a), b)
    ends <- c(min(low_of(n, x, a, b, level), best), max(1 - low_of(n, n - x, 1 - b, 1 - a, level), best))
  }
  pmin(pmax((ends - a) / (b - a), 0), 1)
}

# 4. Intervals by likelihood ----------------------------------------------------------------------------------
#
# Where no count is simple (the exponential mechanism), two tests are combined; what neither rejects is in the
# interval. The first has 0.8 of 1 - level: the likelihood of the mean of what reports add to the share, with one
# more report of the end's extreme value, so that it holds for few respondents too. The second has the rest: the
# likelihood of all shares together, which knows that none is below 0.

# Return by how much the log-likelihood falls if what is above 0 on average must have the mean 0.
#
# It is the greatest sum of counts * log(1 + m apart) over m (Owen 1988, Biometrika 75).
shortfall <- function(apart, counts) {
  if (min(apart) >= 0) return(if (sum(counts[apart > 0])) Inf else 0)
  here <- counts > 0
  most <- -1 / min(apart)
  falls <- function(m) sum(counts[here] * apart[here] / (1 + m * apart[here])) <= 0
  m <- turning_point(falls, 0, most)
  # Rounding may leave m at its limit, where the logarithm has no value.
  if (min(apart[here]) == min(apart)) m <- min(m, most * (1 - 1e-12))
  sum(counts[here] * log1p(m * apart[here]))
}

# Return the lowest mean in [0, 1] whose log-likelihood is at most `drop` below the greatest there.
#
# Values below it count by so much more; see 7.
mean_low <- function(values, counts, drop, more) {
  fall <- function(mean) {
    apart <- values - mean
    apart <- ifelse(apart < 0, (1 + more) * apart, apart)
    if (sum(counts * apart) > 0) shortfall(apart, counts) else 0
  }
  allowed <- drop + fall(1)
  if (fall(0) <= allowed) 0 else turning_point(function(mean) fall(mean) <= allowed, 0, 1)
}

# Return the interval of a mean within [0, 1]. `continuity` adds reports of the end's extreme value.
mean_interval <- function(values, counts, drop, continuity, more = 0) {
  low <- which.min(values)
  high <- which.max(values)
  low_counts <- replace(counts, low, counts[low] + continuity)
  high_counts <- replace(counts, high, counts[high] + continuity)
  c(mean_low(values, low_counts, drop, more), 1 - mean_low(1 - values, high_counts, drop, more))
}

# Return the interval of each answer's share, from all reports together.
joint_intervals <- function(reports, level) {
  chances <- reports$chances
  counts <- reports$counts
  alpha <- 1 - level
  adds <- inverse_of(chances)
  # Degrees of freedom: in how many directions the reports can tell populations apart.
  scaled <- t((t(chances) - colMeans(chances)) / sqrt(colMeans(chances)))
  freedom <- max(sum(svd(scaled)$d * sqrt(sum(counts)) > 0.1), 1)
  drop <- qchisq(0.2 * alpha, freedom, lower.tail = FALSE) / 2
  one_drop <- qchisq(0.8 * alpha, 1, lower.tail = FALSE) / 2
  best <- likeliest(chances, counts)
  profile_low <- function(chosen, start, share) {
    sets <- rbind(chosen, !chosen) * 1
    holds <- function(mass) {
      likeliest(chances, counts, sets, c(mass, 1 - mass))$log_likelihood >= best$log_likelihood - drop
    }
    if (share <= start + 1e-9) return(min(start, share))
    if (holds(start)) start else turning_point(holds, start, share)
  }
  lapply(seq_len(nrow(chances)), function(answer) {
    chosen <- seq_len(nrow(chances)) == answer
    ends <- mean_interval(adds[, answer], counts, one_drop, continuity = 1)
    share <- min(best$shares[answer], 1)
    low <- profile_low(chosen, ends[1], share)
    c(low, max(1 - profile_low(!chosen, 1 - ends[2], 1 - share), share))
  })
}

# 5. Means --------------------------------------------------------------------------------------------------

# Say if a mean follows from the values of the reports: not of options, nor of a number in classes.
gives_mean <- function(reports) {
  !is.null(reports$grid) && nrow(unique(reports$chances)) == length(reports$grid)
}

# Return a number's mean, its standard error and its interval.
#
# Each report has a value whose mean under every answer is that answer, which is checked here. So the mean of
# the values is on average the mean of the answers.
mean_row <- function(reports, level) {
  grid <- reports$grid
  values <- reports$values
  counts <- reports$counts
  n <- reports$reported
  low <- grid[1]
  span <- grid[length(grid)] - low
  stopifnot("the values do not give the mean" = max(abs(reports$chances %*% values - grid)) <= 1e-6 * span)
  if (n == 0) {
    middle <- low + span / 2
    nothing <- list(estimate = middle, value = middle, unbiased = middle, low = low, high = low + span)
    return(c(nothing, band(reports, c(low, low + span))))
  }
  mean <- sum(counts * values) / n
  error <- sqrt(sum(counts * (values - mean)^2)) / n
  if (length(values) == 2) { # one bit: how often the high end was reported is a simple count
    chance <- reports$chances[c(1, length(grid)), 2]
    ends <- simple_interval(list(n = n, x = counts[2], a = chance[1], b = chance[2]), level, "exact")
    wider <- line_band(ends, chance[1], chance[2])
  } else {
    ends <- mean_interval((values - low) / span, counts, normal_quantile(level)^2 / 2, continuity = 0.5)
    wider <- likelihood_band((values - low) / span, counts, level, ends, continuity = 0.5)
  }
  ends <- low + span * ends
  shown <- min(max(mean, ends[1]), ends[2])
  c(
    list(estimate = shown, value = shown, unbiased = mean, standard_error = error, low = ends[1], high = ends[2]),
    band(reports, low + span * wider)
  )
}

# 6. Pooling ------------------------------------------------------------------------------------------------

# Return a yes/no share from browsers and real coins together, each weighted by 1 / its variance.
#
# The variances are those at one share for all: first at one half, then at what that gives. The interval is
# normal, after adding one report for and one against (Agresti & Caffo 2000).
pooled_row <- function(strata, answer, level) {
  counts <- lapply(strata, function(each) simple_counts(each)[[answer]])
  of <- function(name) vapply(counts, function(each) each[[name]], 0)
  n <- of("n")
  x <- of("x")
  a <- of("a")
  slope <- of("b") - a
  shares <- (x / n - a) / slope
  share <- 0.5
  for (step in 1:2) {
    chance <- a + slope * share
    weights <- n * slope^2 / (chance * (1 - chance))
    weights <- weights / sum(weights)
    share <- min(max(sum(weights * shares), 0), 1)
  }
  errors <- sqrt(x / n * (1 - x / n) / n) / slope
  more <- (x + 1) / (n + 2)
  ends <- function(drawn, steepness) {
    centre <- sum(weights * (drawn - a) / slope)
    error <- sqrt(sum((weights * steepness / slope)^2 * more * (1 - more) / (n + 2)))
    pmin(pmax(centre + c(-1, 1) * normal_quantile(level) * error, 0), 1)
  }
  # Answer 2 is yes. Where results are seen first, one in ten who saw a yes may have left: for the share of no,
  # the same of those who did not report it.
  yes <- answer == 2
  seen <- vapply(strata, function(each) each$seen_first, TRUE)
  sent <- if (yes) more else 1 - more
  drawn <- ifelse(seen, share_drawn(sent), sent)
  interval <- ends(more, 1)
  wider <- ends(if (yes) drawn else 1 - drawn, ifelse(seen, (drawn / sent)^2 * (1 - LEAVING), 1))
  unbiased <- sum(weights * shares)
  list(
    estimate = min(max(unbiased, interval[1]), interval[2]), unbiased = unbiased,
    standard_error = sqrt(sum(weights^2 * errors^2)), low = interval[1], high = interval[2],
    band_low = if (yes) interval[1] else wider[1], band_high = if (yes) wider[2] else interval[2]
  )
}

# 7. The band -------------------------------------------------------------------------------------------------
#
# Where people see their result before they send it, some may leave over it. Let a part of up to LEAVING have
# left of those who saw any one result. Then it stands for itself and for up to MORE others. An estimate is a
# mean of what each result adds. It is least if people left over every result that adds less than this mean,
# and greatest if they left over every one that adds more. The band reaches from the one to the other, with
# the interval outside. Of no and yes, people leave over yes alone.

LEAVING <- 0.1
MORE <- LEAVING / (1 - LEAVING)

# Return the ends of the band, or nothing where nobody sees a result before it is sent.
band <- function(reports, ends) {
  if (reports$seen_first) list(band_low = ends[1], band_high = ends[2])
}

# Return how often chance gave results, from their share of those sent, if LEAVING of them were not.
share_drawn <- function(sent) sent / (1 - LEAVING * (1 - sent))

# Return the band of a share whose reports are a simple count.
line_band <- function(ends, a, b) {
  sent <- a + (b - a) * ends
  lowest <- 1 - share_drawn(1 - sent[1]) # if people left over all other reports
  c(max((lowest - a) / (b - a), 0), min((share_drawn(sent[2]) - a) / (b - a), 1))
}

# Return the band of a mean within [0, 1], no narrower than its interval.
likelihood_band <- function(values, counts, level, ends, continuity) {
  wider <- mean_interval(values, counts, normal_quantile(level)^2 / 2, continuity, MORE)
  c(min(wider[1], ends[1]), max(wider[2], ends[2]))
}

# Return the band of each answer's share.
share_bands <- function(reports, simple, intervals, level) {
  if (is.null(simple)) {
    adds <- inverse_of(reports$chances)
    return(lapply(seq_along(intervals), function(answer) {
      likelihood_band(adds[, answer], reports$counts, 1 - 0.8 * (1 - level), intervals[[answer]], 1)
    }))
  }
  bands <- Map(function(ends, line) line_band(ends, line$a, line$b), intervals, simple)
  if (length(bands) == 2) {
    yes <- c(intervals[[2]][1], bands[[2]][2])
    bands <- list(1 - rev(yes), yes)
  }
  bands
}

# 8. The comparison -------------------------------------------------------------------------------------------

# Return the numbers of every answer's share.
share_rows <- function(reports, level, method) {
  answers <- nrow(reports$chances)
  n <- reports$respondents
  simple <- simple_counts(reports)
  for_answers <- NULL
  if (!is.null(simple)) {
    for_answers <- vapply(simple, function(each) each$x, 0)
  } else if (ncol(reports$chances) == answers) {
    for_answers <- reports$counts
  }
  shared <- list(respondents = n, reported = reports$reported)
  if (reports$reported == 0) {
    nothing <- list(estimate = 1 / answers, unbiased = 1 / answers, low = 0, high = 1)
    nothing <- c(nothing, band(reports, c(0, 1)))
    return(rep(list(c(shared, nothing, if (!is.null(for_answers)) list(count = 0))), answers))
  }
  found <- shares_of(reports)
  best <- NULL # with few different reports several shares may be likeliest
  if (answers == 2 && !is.null(simple)) {
    best <- pmin(pmax(found$shares, 0), 1)
  } else if (qr(reports$chances[, reports$counts > 0, drop = FALSE])$rank == answers) {
    best <- likeliest(reports$chances, reports$counts)$shares
  }
  if (is.null(simple)) {
    intervals <- joint_intervals(reports, level)
  } else {
    intervals <- lapply(simple, simple_interval, level, method)
  }
  bands <- share_bands(reports, simple, intervals, level)
  lapply(seq_len(answers), function(answer) {
    c(
      shared,
      band(reports, bands[[answer]]),
      list(unbiased = found$shares[answer], standard_error = found$errors[answer]),
      list(low = intervals[[answer]][1], high = intervals[[answer]][2]),
      if (!is.null(best)) {
        list(estimate = min(max(best[answer], intervals[[answer]][1]), intervals[[answer]][2]))
      },
      if (!is.null(for_answers)) {
        list(count = for_answers[answer], noisy_share = for_answers[answer] / reports$reported)
      }
    )
  })
}

# Return what is worked out for the published rows of one stratum and quantity, and the range of the estimates.
rows_of <- function(codes, channel, stratum, quantity, level, method) {
  strata <- lapply(channel[["strata"]], function(each) {
    first <- each[["first_code"]]
    reports_of(tabulate(codes[codes >= first] - first + 1, each[["codes"]]), each)
  })
  apart <- c(skipped = "skip_code", not_asked = "not_asked_code")
  if (stratum %in% names(apart)) {
    not_asked <- if (is.null(channel[["not_asked_code"]])) -1 else channel[["not_asked_code"]]
    asked <- if (stratum == "skipped") sum(codes != not_asked) else length(codes)
    return(list(rows = list(list(count = sum(codes == channel[[apart[stratum]]]), respondents = asked)), span = 1))
  }
  if (quantity == "mean" && !gives_mean(strata[[stratum]])) return(NULL)
  if (quantity == "mean") {
    return(list(rows = list(mean_row(strata[[stratum]], level)), span = diff(range(strata[[stratum]]$grid))))
  }
  if (stratum == "pooled") {
    return(list(rows = lapply(1:2, function(answer) pooled_row(strata, answer, level)), span = 1))
  }
  list(rows = share_rows(strata[[stratum]], level, method), span = 1)
}

# Work everything out, print it, and return the exit status.
main <- function(folder) {
  channels <- read_json(file.path(folder, "channels.json"))[["columns"]]
  reports <- read.csv(file.path(folder, "reports.csv"), check.names = FALSE)
  # An option may be called "NA": only an empty cell is missing.
  published <- read.csv(file.path(folder, "estimates.csv"), encoding = "UTF-8", na.strings = "")
  published <- published[published$quantity %in% c("proportion", "mean", "count"), ]
  allowed <- c("by formula" = 1e-9, "searched for" = 1e-6)
  largest <- 0 * allowed
  compared <- 0
  headings <- c("estimate", "low", "high", "count")
  cat(sprintf("%-16s%-11s%-8s", "column", "stratum", "answer"), sprintf("%14s", headings), "\n", sep = "")
  shown <- function(number) if (is.null(number)) "" else format(number, digits = 6)
  for (name in names(channels)) {
    of_column <- published[published$column %in% name, ]
    for (group in unique(paste(of_column$stratum, of_column$quantity))) {
      rows <- of_column[paste(of_column$stratum, of_column$quantity) == group, ]
      found <- rows_of(
        reports[[name]], channels[[name]], rows$stratum[1], rows$quantity[1], rows$interval_level[1], rows$method[1]
      )
      if (is.null(found)) {
        cat("the mean of", name, "is not worked out here\n")
        next
      }
      stopifnot("estimates.csv has other answers than channels.json" = length(found$rows) == nrow(rows))
      for (index in seq_len(nrow(rows))) {
        row <- rows[index, ]
        ours <- found$rows[[index]]
        cells <- vapply(headings, function(key) shown(ours[[key]]), "")
        answer <- if (is.na(row$answer)) "" else row$answer
        cat(sprintf("%-16s%-11s%-8s", name, row$stratum, answer), sprintf("%14s", cells), "\n", sep = "")
        by_formula <- row$method %in% c("wald", "wilson", "normal")
        for (field in names(ours)) {
          searched <- field %in% c("estimate", "low", "high", "band_low", "band_high") && !by_formula
          kind <- if (searched) "searched for" else "by formula"
          # The relative difference; for what is near 0, that to a hundredth of the range.
          apart <- abs(ours[[field]] - row[[field]]) / max(abs(row[[field]]), found$span / 100)
          if (is.na(apart)) apart <- Inf
          compared <- compared + 1
          largest[kind] <- max(largest[kind], apart)
          if (apart > allowed[kind]) {
            cat("   ", field, "differs:", ours[[field]], "here,", row[[field]], "in estimates.csv\n")
          }
        }
      }
    }
  }
  cat(compared, "numbers compared with estimates.csv. The largest relative difference:\n")
  for (kind in names(allowed)) cat(sprintf("%.1e %s, %.0e allowed\n", largest[kind], kind, allowed[kind]))
  if (compared == 0 || any(largest > allowed)) 1 else 0
}

here <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
if (!interactive() && length(here)) {
  chosen <- commandArgs(trailingOnly = TRUE)
  quit(status = main(if (length(chosen)) chosen[1] else dirname(here)))
}
