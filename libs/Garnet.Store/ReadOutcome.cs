// The result of looking up a key.
namespace Garnet.Store;

/// <summary>The result of a read.</summary>
internal enum ReadOutcome
{
    /// <summary>No live record for the key.</summary>
    Missing,

    /// <summary>The value was passed to the reader.</summary>
    Found,

    /// <summary>The key holds another type than requested; the reader was not called (or what it saw is invalid).</summary>
    WrongType,
}
