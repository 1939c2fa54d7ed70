// Receives a hash's fields as they are read. One thread.
namespace Garnet.Persistence.Rdb.Values;

/// <summary>Receives a hash in any order.</summary>
internal interface IRdbHashSink
{
    /// <summary>A hash begins; the count is an untrusted hint.</summary>
    void BeginHash(long count);

    /// <summary>A hash begins that was saved as a listpack of this size and stays one unless it has too many fields.</summary>
    void BeginPackedHash(int bytes);

    /// <summary>
    /// Receives a field with its value and its expiry in Unix milliseconds (-1: none); false for a duplicate, which ends reading. The bytes
    /// are valid during the call.
    /// </summary>
    bool AddField(scoped ReadOnlySpan<byte> field, scoped ReadOnlySpan<byte> value, long expiresAtMs);
}
