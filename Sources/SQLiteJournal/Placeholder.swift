// The module's first file comes with its first part.
