// What an assembly says of itself, read without loading it. Immutable.
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace Garnet.Server.Modules;

/// <summary>
/// Name, references and two attributes of an assembly. Once loaded, an assembly for another version fails at some later time with an
/// exception that says nothing to the user; this is asked before.
/// </summary>
internal sealed class AssemblyFacts
{
    /// <summary>Key of the assembly's attribute with the version of the modules' contract.</summary>
    public const string ApiVersionKey = "Garnet.Modules.ApiVersion";

    private const string TargetFrameworkAttribute = "TargetFrameworkAttribute";
    private const string MetadataAttribute = "AssemblyMetadataAttribute";

    private AssemblyFacts(MetadataReader reader)
    {
        Name = reader.GetString(reader.GetAssemblyDefinition().Name);
        References =
        [
            .. reader.AssemblyReferences.Select(handle =>
            {
                AssemblyReference reference = reader.GetAssemblyReference(handle);
                return (reader.GetString(reference.Name), reference.Version);
            }),
        ];
        foreach (CustomAttributeHandle handle in reader.GetAssemblyDefinition().GetCustomAttributes())
            ReadAttribute(reader, reader.GetCustomAttribute(handle));
    }

    /// <summary>The assembly's name.</summary>
    public string Name { get; }

    /// <summary>The assemblies that it needs.</summary>
    public IReadOnlyList<(string Name, Version Version)> References { get; }

    /// <summary>As in <c>.NETCoreApp,Version=v10.0</c>; empty when it is not known.</summary>
    public string TargetFramework { get; private set; } = "";

    /// <summary>The version of the modules' contract; null when it has none.</summary>
    public string? ApiVersion { get; private set; }

    /// <summary>Reads an assembly; null when the bytes are none.</summary>
    public static AssemblyFacts? Read(byte[] bytes)
    {
        try
        {
            using var file = new PEReader(new MemoryStream(bytes, writable: false));
            if (!file.HasMetadata)
                return null;
            MetadataReader reader = file.GetMetadataReader();
            return reader.IsAssembly ? new AssemblyFacts(reader) : null;
        }
        catch (BadImageFormatException)
        {
            return null;
        }
    }

    private void ReadAttribute(MetadataReader reader, CustomAttribute attribute)
    {
        if (attribute.Constructor.Kind != HandleKind.MemberReference)
            return;
        EntityHandle type = reader.GetMemberReference((MemberReferenceHandle)attribute.Constructor).Parent;
        if (type.Kind != HandleKind.TypeReference)
            return;
        string name = reader.GetString(reader.GetTypeReference((TypeReferenceHandle)type).Name);
        if (name is not (TargetFrameworkAttribute or MetadataAttribute))
            return;

        // A prolog of two bytes, then the arguments of the constructor.
        BlobReader value = reader.GetBlobReader(attribute.Value);
        value.ReadUInt16();
        string first = value.ReadSerializedString() ?? "";
        if (name == TargetFrameworkAttribute)
            TargetFramework = first;
        else if (first == ApiVersionKey)
            ApiVersion = value.ReadSerializedString();
    }
}
