// The value of a JSON document: its text in UTF-8. Stateless; any thread.
using Garnet.Modules;

namespace Garnet.JsonDocuments;

/// <summary>The text as it was set. Files have the same form, so whatever is loaded is checked.</summary>
public sealed class DocumentType : ModuleType, IModuleType<DocumentType>
{
    private DocumentType()
        : base("json-0001") { }

    public static DocumentType Instance { get; } = new();

    protected override bool IsValid(ReadOnlySpan<byte> payload) => DocumentText.IsValid(payload);
}
