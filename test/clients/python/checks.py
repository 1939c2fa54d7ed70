"""What the walks with redis-py expect of replies."""
import redis


def expect(actual, expected, what):
    if actual != expected:
        raise AssertionError(f"{what}: expected {expected!r}, got {actual!r}")


def expect_error(call, text):
    try:
        call()
    except redis.ResponseError as error:
        if text in str(error):
            return
        raise AssertionError(f"expected an error with {text!r}, got {str(error)!r}") from error
    raise AssertionError(f"expected an error with {text!r}")
