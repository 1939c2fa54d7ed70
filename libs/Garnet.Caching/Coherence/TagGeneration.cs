// The time between two removals of a tag, as this instance knows it. Any thread.
namespace Garnet.Caching.Coherence;

/// <summary>Has the token that the server kept for the tag when it was asked.</summary>
internal sealed class TagGeneration(string tag) : Generation
{
    private readonly TaskCompletionSource<Guid> _token = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The tag.</summary>
    public string Tag => tag;

    /// <summary>The token; fails when the server could not be asked.</summary>
    public Task<Guid> Token => _token.Task;

    /// <summary>Whether the token is known and is this one.</summary>
    public bool Has(Guid token) => _token.Task is { IsCompletedSuccessfully: true, Result: var known } && known == token;

    /// <summary>The server's answer.</summary>
    public void SetToken(Guid token) => _token.TrySetResult(token);

    /// <summary>There is no answer.</summary>
    public void Fail(Exception why)
    {
        End();
        _token.TrySetException(why);
        // Seen here, for the case that nobody waits for it.
        _ = _token.Task.Exception;
    }
}
