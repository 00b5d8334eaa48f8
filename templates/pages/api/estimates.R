library(httr2)

answer <- request(Sys.getenv("CANDOR_URL")) |>
  req_url_path_append("api/v1/surveys/exams/estimates") |>
  req_url_query(confidence_level = 0.9) |>
  req_auth_bearer_token(Sys.getenv("CANDOR_TOKEN")) |>
  req_retry(max_tries = 3) |>
  req_perform() |>
  resp_body_json(simplifyVector = TRUE)

columns <- c("answer", "proportion", "low", "high")
shares <- Map(
  function(question, answers) data.frame(question, answers[columns]),
  answer$questions$question, answer$questions$answers
)
print(do.call(rbind, unname(shares)), digits = 3)
