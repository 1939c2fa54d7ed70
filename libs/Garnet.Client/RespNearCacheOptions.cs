// The limits of a near cache. Set before use, then only read.
namespace Garnet.Client;

/// <summary>What a <see cref="RespNearCache"/> keeps.</summary>
public sealed class RespNearCacheOptions
{
    /// <summary>Maximum number of values.</summary>
    public int MaxEntries { get; init; } = 100_000;

    /// <summary>Maximum bytes of keys and values, with a flat charge for each entry. A value that is larger alone is never kept.</summary>
    public long MaxBytes { get; init; } = 64L * 1024 * 1024;

    /// <summary>
    /// Only keys that begin with one of these are kept, and the server announces all changes of such keys instead of remembering what this
    /// client has read (<c>BCAST</c>): better for few prefixes whose keys change rarely. None may begin with another one. Empty for all
    /// keys, remembered one by one.
    /// </summary>
    public IReadOnlyList<string> Prefixes { get; init; } = [];

    /// <summary>
    /// How often the connection is checked while values are kept. A connection that broke without notice is found after this time and the
    /// connection's reply timeout, which bounds how long outdated values can be returned.
    /// </summary>
    public TimeSpan CheckInterval { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Checks the settings; the constructor of <see cref="RespNearCache"/> does the same.</summary>
    /// <exception cref="ArgumentException">A setting is invalid; the message names it.</exception>
    public void Validate()
    {
        if (Problems().FirstOrDefault() is { } problem)
            throw new ArgumentException(problem);
    }

    /// <summary>What is wrong with the settings: one line per problem, beginning with the setting's name.</summary>
    internal IEnumerable<string> Problems()
    {
        if (MaxEntries < 1)
            yield return $"{nameof(MaxEntries)} is {MaxEntries}; it must be 1 or more.";
        if (MaxBytes < 1)
            yield return $"{nameof(MaxBytes)} is {MaxBytes}; it must be 1 or more.";
        if (CheckInterval <= TimeSpan.Zero)
            yield return $"{nameof(CheckInterval)} is {CheckInterval}; it must be more than zero.";
    }
}
