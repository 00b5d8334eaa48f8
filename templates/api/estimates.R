library(httr2)

answer <- request(Sys.getenv("CANDOR_URL")) |>
  req_url_path_append("api/v1/surveys/exams/quantities") |>
  req_url_query(confidence_level = 0.9) |>
  req_auth_bearer_token(Sys.getenv("CANDOR_TOKEN")) |>
  req_retry(max_tries = 3) |>
  req_perform() |>
  resp_body_json(simplifyVector = TRUE)

table <- subset(answer$quantities, !is.na(estimate))
columns <- c("column", "quantity", "answer", "estimate", "low", "high")
print(table[columns], digits = 3)
