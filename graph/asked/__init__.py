"""What people ask of a running Executive beside events: answers, explanations, changes."""
