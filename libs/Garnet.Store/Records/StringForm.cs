// What OBJECT ENCODING reports for strings, given their length, key, expiry and history. Pure functions.
using Garnet.Store.Collections;

namespace Garnet.Store.Records;

/// <summary>
/// Valkey embeds a short string in one object with its key and expiry; once a string has been stored separately, it is not embedded again
/// until it is set again.
/// </summary>
internal static class StringForm
{
    // Two cache lines.
    private const int MaxEmbeddedBytes = 128;
    private const int LongestInteger = 20;

    /// <summary>
    /// Whether a string is embedded: 8 bytes of object header, the key with a byte for the size of its own header, that header (1, 3, 5 or
    /// 9 bytes) and a NUL, 8 bytes of expiry if any, and 3 bytes of header, the value and a NUL.
    /// </summary>
    public static bool IsEmbedded(int length, int keyLength, bool expires)
    {
        int keyHeader = keyLength switch
        {
            < 32 => 1,
            < 256 => 3,
            < 65536 => 5,
            _ => 9,
        };
        long bytes = 8L + 1 + keyHeader + keyLength + 1 + (expires ? 8 : 0) + 3 + length + 1;
        return length <= byte.MaxValue && bytes <= MaxEmbeddedBytes;
    }

    /// <summary>
    /// The form of a record's string after a change of its expiry, and under another key: once it was not embedded it stays so, as if it
    /// had been changed in place.
    /// </summary>
    internal static ulong Kept(ulong header, scoped ReadOnlySpan<byte> value, int keyLength)
    {
        ulong form = header & RecordHeader.FormMask;
        if (
            RecordHeader.Type(header) != RecordType.String
            || form == RecordHeader.Edited
            || IsEmbedded(value.Length, keyLength, (header & RecordHeader.Expiry) != 0)
        )
        {
            return form;
        }

        return form == 0 && value.Length <= LongestInteger && ElementCode.TryParseInteger(value, out _) ? form : RecordHeader.Edited;
    }
}
