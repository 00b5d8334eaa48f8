"""All SQL but the migrations. Every function takes the open database and runs inside one transaction."""
