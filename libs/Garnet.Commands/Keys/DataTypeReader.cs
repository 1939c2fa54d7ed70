// Reads the type of a key's value. Lives on the stack of one command.
using Garnet.Store;
using Garnet.Store.DataTypes;

namespace Garnet.Commands.Keys;

/// <summary>Reads the type of a value.</summary>
internal struct DataTypeReader(DataTypeTable types) : IKeyReader
{
    /// <summary>The type; null until a value has been read.</summary>
    public DataType? Type { get; private set; }

    /// <summary>The name of the value's own type, if that is not known and the value is only kept; else null.</summary>
    public string? MissingName { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
    {
        Type = types.Of(info.Type, value);
        MissingName = Type is KeptType ? CustomType.NameOf(KeptType.TypeIdOf(CustomValue.PayloadOf(value))) : null;
    }
}
