// Builds files for tests from the writer's parts. One thread.
using System.Buffers;
using System.Text;
using Garnet.Persistence.Rdb;

namespace Garnet.Persistence.Tests.Rdb;

/// <summary>Writes a file into memory.</summary>
internal sealed class RdbFileBuilder
{
    private readonly ArrayBufferWriter<byte> _bytes = new();

    public RdbFileBuilder(int version = 10, bool compress = true)
    {
        Writer = new RdbWriter(_bytes, new RdbWriterOptions { Version = version, Compress = compress });
        Writer.WriteHeader();
    }

    public RdbWriter Writer { get; }

    public RdbFileBuilder String(string key, string value, long expiresAtMs = -1)
    {
        Writer.WriteStringKey(Encoding.Latin1.GetBytes(key), Encoding.Latin1.GetBytes(value), expiresAtMs);
        return this;
    }

    public RdbFileBuilder Select(int database)
    {
        Writer.WriteSelect(database);
        return this;
    }

    /// <summary>Raw bytes, in hexadecimal.</summary>
    public RdbFileBuilder Raw(string hexadecimal)
    {
        Writer.WriteRaw(Convert.FromHexString(hexadecimal.Replace(" ", "", StringComparison.Ordinal)));
        return this;
    }

    /// <summary>Completes the file with its end marker and checksum.</summary>
    public byte[] Finish(ulong? checksum = null)
    {
        Writer.WriteEnd();
        RdbWriter.WriteChecksum(_bytes, checksum ?? Crc64.Append(0, _bytes.WrittenSpan));
        return _bytes.WrittenSpan.ToArray();
    }
}
