"""Pictures that staff send, made anew from their pixels before they are stored."""
