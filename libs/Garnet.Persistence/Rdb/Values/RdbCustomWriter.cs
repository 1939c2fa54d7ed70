// Writes the items of a custom type's value. One thread.
using Garnet.Store.DataTypes;

namespace Garnet.Persistence.Rdb.Values;

/// <summary>Writes each item with its tag, as Valkey writes the values of modules.</summary>
internal sealed class RdbCustomWriter(RdbWriter writer) : ICustomValueWriter
{
    /// <summary>Writes the type's ID, the value's items, and the end tag; of a value that was kept, what was read.</summary>
    public void Write(CustomType type, ReadOnlySpan<byte> payload)
    {
        if (type is KeptType)
        {
            writer.WriteLength(KeptType.TypeIdOf(payload));
            writer.WriteRaw(KeptType.ItemsOf(payload));
            return;
        }

        writer.WriteLength(type.Id);
        type.Save(payload, this);
        writer.WriteLength(RdbModule.End);
    }

    public void WriteInt64(long value)
    {
        writer.WriteLength(RdbModule.Signed);
        writer.WriteLength((ulong)value);
    }

    public void WriteUInt64(ulong value)
    {
        writer.WriteLength(RdbModule.Unsigned);
        writer.WriteLength(value);
    }

    public void WriteDouble(double value)
    {
        writer.WriteLength(RdbModule.Double);
        writer.WriteDouble(value);
    }

    public void WriteString(ReadOnlySpan<byte> value)
    {
        writer.WriteLength(RdbModule.String);
        writer.WriteString(value);
    }
}
