// The result of looking a key up.
namespace Garnet.Store;

/// <summary>What a read found.</summary>
public enum ReadOutcome
{
    /// <summary>No live record under the key.</summary>
    Missing,

    /// <summary>The reader was given the value.</summary>
    Found,

    /// <summary>The key holds another type than asked for; the reader was not called (or what it saw is void).</summary>
    WrongType,
}
