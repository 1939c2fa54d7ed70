// Checks in the compiled code that namespaces depend on each other in one direction only: "using" lines would miss what is reached through
// members. Reads assemblies only.
using Garnet.Testing;
using Mono.Cecil;
using Mono.Cecil.Cil;
using Xunit;

namespace Garnet.Tidy.Tests;

public sealed class LayerTests
{
    private const string List = "test/Garnet.Tidy.Tests/layers.txt";

    private static readonly string[] Assemblies = ["Engine", "Commands", "Server"];

    private static readonly string[] Layers =
    [
        .. File.ReadLines(RepositoryRoot.Combine(List)).Where(static line => line.Length > 0 && !line.StartsWith('#')),
    ];

    [Fact]
    public void Every_namespace_uses_only_earlier_ones()
    {
        SortedSet<string> offences = [];
        foreach (TypeDefinition type in Types())
        {
            int own = Place(type);
            if (own < 0)
                continue;
            foreach (TypeReference used in Uses(type).Where(used => Place(used) > own))
                offences.Add($"{Outermost(type).FullName} -> {Outermost(used).FullName}");
        }

        Offences.AssertNone(offences);
    }

    [Fact]
    public void Every_namespace_has_its_place()
    {
        string[] found =
        [
            .. Types().Select(NamespaceOf).Where(static name => name.StartsWith("Garnet.", StringComparison.Ordinal)).Distinct(),
        ];
        Assert.Equal(Layers.Order(), found.Order());
    }

    // That the check sees anything at all: what CommandContext does is done by others of its layer, and the table of gates knows them all.
    [Fact]
    public void Uses_inside_methods_are_seen()
    {
        TypeDefinition list = Types().Single(static type => type.Name == "GateList");
        Assert.Contains(Uses(list), static used => used.Name == "PermissionGate");
        TypeDefinition run = Types().Single(static type => type.Name == "CommandRunner");
        Assert.Contains(Uses(run), static used => used.Name == "ThreadCounters");
    }

    private static IEnumerable<TypeDefinition> Types() =>
        Assemblies.SelectMany(static name =>
            ModuleDefinition.ReadModule(Path.Combine(AppContext.BaseDirectory, $"GarnetCache.{name}.dll")).GetTypes()
        );

    // What a type is made of, and what the code of its methods uses.
    private static IEnumerable<TypeReference> Uses(TypeDefinition type)
    {
        IEnumerable<TypeReference?> shape =
        [
            type.BaseType,
            .. type.Interfaces.Select(static each => each.InterfaceType),
            .. type.Fields.Select(static field => field.FieldType),
        ];
        return shape.Concat(type.Methods.SelectMany(Uses)).SelectMany(Parts);
    }

    private static IEnumerable<TypeReference?> Uses(MethodDefinition method)
    {
        IEnumerable<TypeReference?> signature = Signature(method);
        return method.HasBody
            ? signature
                .Concat(method.Body.Variables.Select(static variable => variable.VariableType))
                .Concat(method.Body.Instructions.SelectMany(Uses))
            : signature;
    }

    private static IEnumerable<TypeReference?> Uses(Instruction instruction) =>
        instruction.Operand switch
        {
            GenericInstanceMethod method => [.. Signature(method), .. method.GenericArguments],
            MethodReference method => Signature(method),
            FieldReference field => [field.DeclaringType, field.FieldType],
            TypeReference type => [type],
            _ => [],
        };

    private static IEnumerable<TypeReference> Signature(MethodReference method) =>
        [method.DeclaringType, method.ReturnType, .. method.Parameters.Select(static parameter => parameter.ParameterType)];

    // The types that a reference names: of List<T>[] both List and T.
    private static IEnumerable<TypeReference> Parts(TypeReference? type) =>
        type switch
        {
            null or GenericParameter => [],
            GenericInstanceType generic => [.. Parts(generic.ElementType), .. generic.GenericArguments.SelectMany(Parts)],
            TypeSpecification specification => Parts(specification.ElementType),
            _ => [type],
        };

    private static TypeReference Outermost(TypeReference type) => type.DeclaringType is { } outer ? Outermost(outer) : type;

    private static string NamespaceOf(TypeReference type) => Outermost(type).Namespace;

    // Below all layers for what is not listed: the runtime, the store, the public types.
    private static int Place(TypeReference type) => Array.IndexOf(Layers, NamespaceOf(type));
}
