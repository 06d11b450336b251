"""Walking: what a leg, a foot or a whole machine does over a turn of its crank. From results to numbers a designer asks for."""
