"""Files about a survey: tables, codebook, channels, workbook, SQLite and Parquet."""
