"""What goes to the terminal and comes from it: lines, tables, progress, complaints."""
