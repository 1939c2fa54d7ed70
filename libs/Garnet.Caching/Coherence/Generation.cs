// Whether what was cached under a tag or a key still counts. Any thread.
namespace Garnet.Caching.Coherence;

/// <summary>What was cached refers to it and is valid until it has ended, which is once and for good.</summary>
internal class Generation
{
    private volatile bool _isEnded;

    /// <summary>Whether the tag or key was removed since.</summary>
    public bool IsEnded => _isEnded;

    /// <summary>Makes everything invalid that refers to it.</summary>
    public void End() => _isEnded = true;
}
