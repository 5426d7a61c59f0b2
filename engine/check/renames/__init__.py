"""What follows when something that texts and keys name is called otherwise."""
