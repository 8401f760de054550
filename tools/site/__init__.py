"""The course as a static site that runs in the browser, without any installation."""
