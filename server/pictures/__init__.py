"""The pictures of surveys: made anew from their pixels before they are stored, and sent to respondents."""
