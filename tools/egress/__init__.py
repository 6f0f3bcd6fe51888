"""The one way out of this process over the network, and what is kept of what comes back."""
