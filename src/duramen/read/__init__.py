"""Reading a page: bytes to text, document type, structured data and metadata."""
