@main struct Calgw { static func main() {} }
