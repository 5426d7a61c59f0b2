"""What people are asked, who may answer, and what an answer is bound to."""
