"""What agents are given: Kavor's tools, over the Model Context Protocol. A face like any other."""
