// Replies as comma-separated values. Stateless; one thread.
using Garnet.Client;

namespace Garnet.Cli.Output;

/// <summary>One line a reply; nested elements and maps are flat.</summary>
internal sealed class CsvFormat : DataFormat
{
    /// <inheritdoc/>
    protected override ReadOnlySpan<byte> ErrorMark => "ERROR,"u8;

    /// <inheritdoc/>
    protected override ReadOnlySpan<byte> Null => "NULL"u8;

    /// <inheritdoc/>
    protected override void AppendString(ByteText text, ReadOnlySpan<byte> value) => text.AppendQuoted(value);

    /// <inheritdoc/>
    protected override void AppendArray(ByteText text, RespValue reply) => AppendElements(text, reply);

    /// <inheritdoc/>
    protected override void AppendMap(ByteText text, RespValue reply) => AppendElements(text, reply);
}
