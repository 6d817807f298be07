"""Encoders: words or word pieces -> vectors."""
