"""One module per way to reach models: HTTP servers, llama.cpp, Transformers, Inspect AI."""
